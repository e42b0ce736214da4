import { join } from 'node:path';
import { plainFlows } from '../../../proof/sweep/flows/flows';
import { isClean, rowsOf, showResult, totalOf } from '../../../proof/sweep/matrix';
import { runSweep } from '../../../proof/sweep/runSweep';
import { times } from '../../support/lane';

const plain = plainFlows.map(({ name }) => name);
const boundaries = times({ short: 1, all: 6 });

describe('a slice of the sweep', () => {
  test('kills every process at some boundaries of all plain flows, and finds nothing', async () => {
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
  }, 900_000);
});
