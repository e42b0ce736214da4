import { join } from 'node:path';
import { plainFlows } from '../../../proof/sweep/flows/flows';
import { isClean, rowsOf, showResult, totalOf } from '../../../proof/sweep/matrix';
import { runSweep } from '../../../proof/sweep/runSweep';
import { times } from '../../support/lane';

/** One flow of each kind. The others come to the same boundaries again. */
const chosen = [
  ...['transfer, EOA', 'transfer, SCA', 'transfer, cancelled in time', 'deploy and mint'],
  ...['transfer sequence', 'payout', 'period of a schedule'],
];
const all = plainFlows.map(({ name }) => name);
const plain = times({ short: 0, all: 1 }) === 1 ? all : chosen;
const boundaries = times({ short: 1, all: 2 });

describe('a slice of the sweep', () => {
  test('kills every process at some boundaries of plain flows, and finds nothing', async () => {
    const result = await runSweep({
      seed: 5,
      root: join(__dirname, '..', '..', '..'),
      only: plain,
      sample: boundaries,
      pairs: 0,
      ordersPerKill: boundaries,
      lanes: 2,
    });
    expect(result.findings).toEqual([]);
    expect(showResult(result)).toContain('0 findings');
    expect(isClean(result)).toBe(true);
    expect(totalOf(rowsOf(result)).crashed).toBeGreaterThanOrEqual(4 * boundaries);
  });

  // It has five processes to kill, and three runs of each flow before that.
  times({ short: 0, all: 1 }) === 1 &&
    test('kills a receiver of notices too, in flows that are told, and finds nothing', async () => {
      const result = await runSweep({
        seed: 5,
        root: join(__dirname, '..', '..', '..'),
        only: ['notices: transfer', 'notices: received, told twice'],
        isTold: true,
        sample: boundaries,
        pairs: 0,
        ordersPerKill: boundaries,
        lanes: 2,
      });
      expect(result.findings).toEqual([]);
      expect(isClean(result)).toBe(true);
      expect(totalOf(rowsOf(result)).crashed).toBeGreaterThanOrEqual(5 * boundaries);
    });
});
