import { outdatedWords } from '../../activities/sendRefusal';

const parts = { step: 'transfer' };
const graceMs = 600;

describe('a look-up', () => {
  test.each([
    // The look-up, the wait in the queue, the age of the worker, and what follows.
    ['of a moment ago, by a worker that was there', 10, 5, 20, false],
    ['from before the worker began', 30, 0, 20, true],
    ['that is older by its wait, within the grace period', 10, 600, 20, false],
    ['that is older by its wait, beyond the grace period', 10, 611, 20, true],
    ['that has waited for long at a worker that was there', 10, 5_000, 5_010, false],
  ])('%s', (_, lookedUpAgoMs, queuedMs, uptimeMs, isOutdated) => {
    const waited = { uptimeMs, queuedMs, lookupGraceMs: graceMs };
    const words = 'The transfer was looked up before this worker began, so it is looked up again.';
    const told = outdatedWords({ parts, lookedUpAgoMs }, waited);
    expect(told).toBe(isOutdated ? words : undefined);
  });

  it('is not asked of a request about a known transaction', () => {
    const waited = { uptimeMs: 1, queuedMs: 5_000, lookupGraceMs: graceMs };
    expect(outdatedWords({ parts, lookedUpAgoMs: undefined }, waited)).toBeUndefined();
  });
});
