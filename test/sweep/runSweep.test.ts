import { join } from 'node:path';
import { isClean, rowsOf, showResult, totalOf } from '../../sweep/matrix';
import { runSweep } from '../../sweep/runSweep';

const boundaries = 6;

describe('a slice of the sweep', () => {
  test('kills every process at some boundaries of all flows, and finds nothing', async () => {
    const result = await runSweep({
      ...{ seed: 5, root: join(__dirname, '..', '..'), sample: boundaries },
      ...{ pairs: 0, ordersPerKill: boundaries, lanes: 2 },
    });
    expect(result.findings).toEqual([]);
    expect(showResult(result)).toContain('0 findings');
    expect(isClean(result)).toBe(true);
    expect(totalOf(rowsOf(result)).crashed).toBeGreaterThanOrEqual(4 * boundaries);
  }, 300_000);
});
