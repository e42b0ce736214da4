import { keepingLines } from '../../../src/console/payouts/linesKept';
import type { LineResult } from '../../../src/orders/payout';

const line = { lineId: 'a', outcome: 'waiting' } as LineResult;
const running = { workflowId: 'payout:june', execution: 'RUNNING', closedAt: undefined };
const completed = { ...running, execution: 'COMPLETED', closedAt: '2026-06-30T12:00:00Z' };

/** Reads lines, and counts how often. */
function reading() {
  const clock = { ms: 0, reads: 0, isAway: false };
  const payoutLines = async function* () {
    clock.reads += 1;
    await Promise.resolve();
    if (clock.isAway) throw new Error('Temporal is away.');
    yield line;
  };
  const linesOf = keepingLines({ payoutLines } as never, () => clock.ms);
  return { clock, linesOf };
}

it('fifty pages that load at once share one reading, and a later one reads again', async () => {
  const { clock, linesOf } = reading();
  const all = await Promise.all(Array.from({ length: 50 }, () => linesOf(running)));
  expect(all.every((lines) => lines.length === 1)).toBe(true);
  expect(clock.reads).toBe(1);
  clock.ms += 999;
  await linesOf(running);
  expect(clock.reads).toBe(1);
  clock.ms += 1;
  await linesOf(running);
  expect(clock.reads).toBe(2);
});

it('lines of a completed payout are read once', async () => {
  const { clock, linesOf } = reading();
  await linesOf(completed);
  clock.ms += 1_000_000;
  await linesOf(completed);
  expect(clock.reads).toBe(1);
});

it('a reading that fails is no answer for the next page', async () => {
  const { clock, linesOf } = reading();
  clock.isAway = true;
  await expect(linesOf(completed)).rejects.toThrow('Temporal is away.');
  clock.isAway = false;
  expect(await linesOf(completed)).toEqual([line]);
});
