import { spreadCalls } from '../../src/worker/spreadCalls';

/** The waits of calls that come at some times, five of which may go in a second. */
async function waitsOf(timesMs: readonly number[]): Promise<number[]> {
  const waits: number[] = [];
  const left = [...timesMs];
  const turn = spreadCalls(5, {
    now: () => left.shift() ?? 0,
    wait: async (ms) => waits.push(ms),
  });
  for (const _ of timesMs) await turn();
  return waits;
}

describe('the calls of a worker', () => {
  it('go one after another when they come together', async () => {
    expect(await waitsOf([1_000, 1_000, 1_000, 1_100])).toEqual([0, 200, 400, 500]);
  });

  it('do not wait when they come slowly', async () => {
    expect(await waitsOf([1_000, 1_200, 1_500, 1_900])).toEqual([0, 0, 0, 0]);
  });

  it('wait a second at most, so that a raised limit of the queue holds', async () => {
    const together = Array.from({ length: 8 }, () => 1_000);
    expect(await waitsOf(together)).toEqual([0, 200, 400, 600, 800, 1_000, 1_000, 1_000]);
  });
});
