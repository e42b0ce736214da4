import { createNoticeSense } from '../../../activities/guard/noticeSense';

/** A transaction that took so long, and ended so long ago. */
function recordOf(tookMs: number, agoMs = 0, state = 'COMPLETE') {
  const endMs = Date.now() - agoMs;
  const [createDate, updateDate] = [endMs - tookMs, endMs].map((ms) => new Date(ms).toISOString());
  return { state, createDate: createDate ?? '', updateDate: updateDate ?? '' };
}

describe('a worker', () => {
  test('expects no notice before one has come', () => {
    const sense = createNoticeSense();
    expect(sense.withinMs()).toBeUndefined();
    sense.polled('awaited', recordOf(2_000));
    expect(sense.withinMs()).toBeUndefined();
  });

  test('expects the next notice soon after most transactions have settled', () => {
    const sense = createNoticeSense();
    sense.polled('came', recordOf(2_000));
    expect(sense.withinMs()).toBe(5_000);
    for (let round = 0; round < 8; round++) sense.polled('came', recordOf(4_000));
    expect(sense.withinMs()).toBe(7_000);
  });

  test('is not misled by one transaction in twenty that was slow', () => {
    const sense = createNoticeSense();
    sense.polled('came', recordOf(600_000));
    for (let round = 0; round < 19; round++) sense.polled('came', recordOf(2_000));
    expect(sense.withinMs()).toBe(5_000);
  });

  test('waits for no notice longer than 25 s', () => {
    const sense = createNoticeSense();
    sense.polled('came', recordOf(600_000));
    expect(sense.withinMs()).toBe(25_000);
  });

  test('expects none after a poll that found an end nobody had told of', () => {
    const sense = createNoticeSense();
    sense.polled('came', recordOf(2_000));
    sense.polled('awaited', recordOf(2_000, 100));
    sense.polled('awaited', recordOf(2_000, 9_000, 'SENT'));
    expect(sense.withinMs()).toBe(5_000);
    sense.polled('awaited', recordOf(2_000, 2_500));
    expect(sense.withinMs()).toBeUndefined();
    sense.polled('came', recordOf(2_000));
    expect(sense.withinMs()).toBe(5_000);
  });
});
