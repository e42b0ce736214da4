import { next } from '../../../workflows/write/machine';
import { type Event, newWrite, type WriteState, wishOf } from '../../../workflows/write/writeState';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const terms = { lookupGraceMs: 10 * minuteMs, keyLifetimeMs: dayMs, checksReceipts: false };

/** The state of a new write after events. */
function stateAfter(...events: readonly Event[]): WriteState {
  const first = newWrite({ generation: 0, knownAtMs: 0 });
  return events.reduce((state, event) => next(state, event, terms), first);
}

const nothing = (nowMs: number): Event => {
  return { kind: 'looked', askedAtMs: nowMs, traces: [], seen: 3, nowMs };
};
const lostAnswer = { kind: 'Unknown', why: 'no answer', isAmbiguous: true } as const;

/** The number of times within a span that a write asks for something, if it always hears the same. */
function asks(state: WriteState, spanMs: number, hears: (nowMs: number) => Event): number {
  let now = state;
  let count = 0;
  for (let nowMs = 0; nowMs < spanMs; count += 1) {
    now = next(now, hears(nowMs), terms);
    nowMs = Math.max(wishOf(now).atMs, nowMs + 1);
  }
  return count;
}

describe('a write that waits', () => {
  it('is looked up a few times an hour while nobody knows what became of it', () => {
    const answered = { kind: 'answered', answer: lostAnswer, nowMs: 0 } as const;
    const doubtful = stateAfter(nothing(0), { kind: 'sending', nowMs: 0 }, answered);
    expect(doubtful.stage).toBe('doubt');
    expect(asks(doubtful, hourMs, nothing)).toBeLessThan(25);
    expect(asks(doubtful, dayMs, nothing)).toBeLessThan(50);
  });

  it('is read a few times an hour while its record is not what was ordered', () => {
    const accepted = { kind: 'accepted', accepted: {}, transactionId: 't' } as const;
    const answered = { kind: 'answered', answer: accepted, nowMs: 0 } as const;
    const taken = stateAfter(nothing(0), { kind: 'sending', nowMs: 0 }, answered);
    const record = { id: 't', state: 'COMPLETE', txHash: '0x1' } as const;
    const other = (nowMs: number): Event => ({
      kind: 'record',
      record,
      faults: ['another amount'],
      nowMs,
    });
    expect(asks(taken, hourMs, other)).toBeLessThan(25);
  });
});

describe('a write whose look-up is older than its writer', () => {
  const outdated = { kind: 'Outdated', why: 'looked up before', isAmbiguous: false } as const;
  const answered = { kind: 'answered', answer: outdated, nowMs: 2 } as const;

  it('is looked up again, and may be sent then', () => {
    const first = stateAfter(nothing(0), { kind: 'sending', nowMs: 1 }, answered);
    expect(first).toMatchObject({ stage: 'unseen', tries: 'clean', lookedUpAtMs: 0 });
    const again = next(first, nothing(minuteMs), terms);
    expect(again).toMatchObject({ stage: 'ready', lookedUpAtMs: minuteMs });
  });
});

describe('the age of a key', () => {
  it('begins with the first attempt, however long the write has waited before', () => {
    expect(stateAfter(nothing(0), { kind: 'sending', nowMs: 3 * dayMs }).bornAtMs).toBe(3 * dayMs);
  });

  it('begins again after an attempt that provably did not arrive', () => {
    const answer = { kind: 'Again', why: 'no connection', isAmbiguous: false } as const;
    const first = [nothing(0), { kind: 'sending', nowMs: 0 }] as const;
    const cleanly = stateAfter(...first, { kind: 'answered', answer, nowMs: 1 });
    expect(cleanly.bornAtMs).toBeUndefined();
    expect(next(cleanly, { kind: 'sending', nowMs: dayMs }, terms).bornAtMs).toBe(dayMs);
  });

  it('is kept over an attempt that may have arrived', () => {
    const answer = { kind: 'Again', why: 'no answer', isAmbiguous: true } as const;
    const first = [nothing(0), { kind: 'sending', nowMs: 5 }] as const;
    const maybe = stateAfter(...first, { kind: 'answered', answer, nowMs: 6 });
    expect(next(maybe, { kind: 'sending', nowMs: dayMs }, terms).bornAtMs).toBe(5);
  });
});
