import { refusalOf } from '../../../workflows/write/machine/finding';
import { next } from '../../../workflows/write/machine/machine';
import {
  type Event,
  newWrite,
  type WriteState,
  wishOf,
} from '../../../workflows/write/machine/writeState';
import { viewOf } from '../../../workflows/write/view';

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

describe('a write behind another transaction of its wallet', () => {
  const accepted = { kind: 'accepted', accepted: {}, transactionId: 't' } as const;
  const answered = { kind: 'answered', answer: accepted, nowMs: 0 } as const;
  const read = (inFront?: string): Event => {
    const record = { id: 't', state: 'SENT', ...(inFront && { inFront }) } as const;
    return { kind: 'record', record, faults: [], nowMs: 1 };
  };
  const shown = (...records: Event[]): string | undefined => {
    const state = stateAfter(nothing(0), { kind: 'sending', nowMs: 0 }, answered, ...records);
    const seen = { doing: 'transfer', target: 'transfer/1#0', trouble: undefined, isPaused: false };
    return viewOf({ ...seen, state })?.waitingFor;
  };

  it('says so while it waits for that one, and no longer', () => {
    const settling = 'transfer to settle (SENT at poll 1), transaction t';
    expect(shown(read())).toBe(settling);
    expect(shown(read('transaction f'))).toBe(`${settling}. It waits behind transaction f`);
    expect(shown(read('transaction f'), read())).toBe(settling.replace('poll 1', 'poll 2'));
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

describe('a write whose attempt before had no effect, as the chain has proven', () => {
  const trace = (state: string) => ({
    generation: 0,
    accepted: {},
    record: { id: 'first', state, txHash: '0x1' },
  });
  const looked = (state: string, nowMs: number): Event => {
    return { kind: 'looked', askedAtMs: nowMs, traces: [trace(state)], seen: 1, nowMs };
  };
  const { record } = trace('FAILED');
  const failed: Event = { kind: 'record', record, faults: [], nowMs: 2 };
  const reverted = { found: 'reverted' as const, faults: [] };
  const receipt: Event = {
    kind: 'receipt',
    receipt: reverted,
    transactionId: 'first',
    askedAtMs: 3,
    nowMs: 3,
  };
  const reading = { ...terms, checksReceipts: true };
  const proven = [looked('FAILED', 1), failed, receipt].reduce(
    (state, event) => next(state, event, reading),
    newWrite({ generation: 1, knownAtMs: 0 }),
  );

  it('is looked up once more under its own key', () => {
    expect(proven).toMatchObject({ stage: 'unseen', generation: 1, isProven: true });
    expect(next(proven, looked('FAILED', 4), reading)).toMatchObject({ stage: 'ready' });
  });

  it('does not end as that attempt where the first look has an older word of it', () => {
    const end = [looked('SENT', 1), failed, receipt, looked('FAILED', 4)].reduce(
      (state, event) => next(state, event, reading),
      newWrite({ generation: 1, knownAtMs: 0 }),
    );
    expect(end).toMatchObject({ stage: 'ready', generation: 1 });
  });

  it('does not end as that attempt where a later look still has an older word of it', () => {
    const behind = next(proven, looked('SENT', 4), reading);
    expect(behind).toMatchObject({ stage: 'accepted', transactionId: 'first' });
    const again = [failed, receipt].reduce((state, event) => next(state, event, reading), behind);
    expect(again).toMatchObject({ stage: 'unseen', generation: 1, isProven: true });
  });

  it('is paid by that attempt if the chain shows so after all', () => {
    const complete = { ...record, state: 'COMPLETE' };
    const read: Event = { kind: 'record', record: complete, faults: [], nowMs: 5 };
    const success = { found: 'success' as const, faults: [] };
    const paid: Event = {
      kind: 'receipt',
      receipt: success,
      transactionId: 'first',
      askedAtMs: 6,
      nowMs: 6,
    };
    const end = [looked('COMPLETE', 4), read, paid].reduce(
      (state, event) => next(state, event, reading),
      proven,
    );
    expect(end).toMatchObject({ stage: 'completed' });
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

describe('a chain that shows nothing', () => {
  const reading = { ...terms, checksReceipts: true, lookupGraceMs: 20 };
  const record = { id: 'first', state: 'CANCELLED' };
  const heard: Event = { kind: 'record', record, faults: [], nowMs: 10 };
  const transactionId = 'first';
  const accepted = newWrite({ stage: 'accepted', generation: 0, knownAtMs: 0, transactionId });
  const shown = (askedAtMs: number, newest: { headAgeMs?: number; headMs?: number } = {}) => {
    const receipt = { found: 'absent' as const, faults: [], ...newest };
    const answer: Event = { kind: 'receipt', receipt, transactionId, askedAtMs, nowMs: 40 };
    return [heard, answer].reduce((state, event) => next(state, event, reading), accepted);
  };

  it('is believed as of the moment at which it was asked', () => {
    const stages = [11, 29, 30].map((askedAtMs) => shown(askedAtMs).stage);
    expect(stages).toEqual(['accepted', 'accepted', 'failed']);
  });

  it('is asked again more and more slowly, while its newest block is too old', () => {
    const delays: number[] = [];
    let state = shown(40, { headAgeMs: 11 });
    for (let nowMs = 40; delays.length < 20; ) {
      const atMs = state.notBeforeMs ?? 0;
      delays.push(atMs - nowMs);
      nowMs = atMs;
      const receipt = { found: 'absent' as const, faults: [], headAgeMs: nowMs };
      for (const event of [
        { ...heard, nowMs },
        { kind: 'receipt', receipt, transactionId, askedAtMs: nowMs, nowMs } as const,
      ])
        state = next(state, event, { ...reading, lookupGraceMs: minuteMs });
    }
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(delays.at(-1)).toBeGreaterThanOrEqual(30_000);
  });

  it('is never newer than its newest block says, whatever clock its reader has', () => {
    const stages = [29, 30].map((headMs) => shown(40, { headAgeMs: 0, headMs }).stage);
    expect(stages).toEqual(['accepted', 'failed']);
  });

  it('is believed as of its newest block, and its order says so', () => {
    const [behind, fresh] = [shown(40, { headAgeMs: 11 }), shown(40, { headAgeMs: 10 })];
    expect([behind.stage, fresh.stage]).toEqual(['accepted', 'failed']);
    expect(behind.why).toMatch(/newest block of the chain's node is of 1970\S+, which is too old/);
  });
});

describe('a transaction that the service calls failed, and that has succeeded on the chain', () => {
  const reading = { ...terms, checksReceipts: true };
  const hash = `0x${'ab'.repeat(32)}`;
  const found = { kind: 'accepted', accepted: { transactionId: 't' }, transactionId: 't' } as const;
  const record = { id: 't', state: 'FAILED' } as const;
  const shown = (...faults: string[]): WriteState => {
    const receipt = { found: 'success' as const, faults, txHash: hash };
    const events: Event[] = [
      nothing(0),
      { kind: 'sending', nowMs: 0 },
      { kind: 'answered', answer: found, nowMs: 0 },
      { kind: 'record', record, faults: [], nowMs: 1 },
      { kind: 'receipt', receipt, transactionId: 't', askedAtMs: 2, nowMs: 2 },
    ];
    return events.reduce(
      (state, event) => next(state, event, reading),
      newWrite({ generation: 0, knownAtMs: 0 }),
    );
  };
  const refusal = (state: WriteState, finding: 'completed' | 'skip', evidence: string) =>
    refusalOf(state, { finding: { target: 'transfer/1#0', finding, evidence } }, now);
  const now = { nowMs: 3, keyLifetimeMs: dayMs };

  it('is paid only if it did exactly what was ordered', () => {
    expect(shown()).toMatchObject({ stage: 'disputed', paidIn: hash });
    const other = shown('it moved 7 base units, which is none of its lines');
    expect(other).toMatchObject({ stage: 'disputed', paidIn: undefined });
    expect(other.why).toContain('it moved 7 base units');
    expect(refusal(other, 'skip', 'no longer wanted')).toBeUndefined();
  });

  it('ends as completed by what the chain has proven, although its record is lost', () => {
    const lost = next(shown(), { kind: 'lost', nowMs: 3 }, reading);
    const refused = refusal(lost, 'completed', 't');
    expect(refused).toContain(`completed and the evidence ${hash}`);
    expect(refusal(lost, 'skip', 'no longer wanted')).toContain(`the evidence ${hash}`);
    const evidence = hash.toUpperCase().replace('0X', '0x');
    expect(refusal(lost, 'completed', evidence)).toBeUndefined();
    const finding = { target: 'transfer/1#0', finding: 'completed', evidence } as const;
    const end = next(lost, { kind: 'found', finding, nowMs: 4 }, reading);
    expect(end).toMatchObject({ stage: 'completed', record: { id: 't', txHash: hash } });
  });

  it('is not read for another transaction that somebody finds for it', () => {
    const read = next(shown(), { kind: 'record', record, faults: [], nowMs: 3 }, reading);
    const other = { id: 'y', state: 'SENT' };
    const trace = { generation: 0, accepted: { transactionId: 'y' }, record: other };
    const finding = { target: 'transfer/1#0', finding: 'completed', evidence: 'y' } as const;
    const found = next(read, { kind: 'found', finding, trace, nowMs: 4 }, reading);
    expect(read.record?.id).toBe('t');
    expect(found).toMatchObject({ stage: 'accepted', transactionId: 'y' });
    expect([found.record, found.final]).toEqual([undefined, undefined]);
    expect(wishOf(found).want).toBe('watch');
  });

  it('ends as completed by no transaction that only resembles it', () => {
    const other = shown('it moved 7 base units, which is none of its lines');
    expect(refusal(other, 'completed', hash)).toContain('is no transaction of this write');
    expect(refusal(shown(), 'completed', `0x${'cd'.repeat(32)}`)).toBeDefined();
  });
});

describe('a later attempt at a line, as an earlier run has left it unsent', () => {
  const left = { generation: 1, transactionId: undefined, isUnsent: true } as const;
  const lookedUp = (isProven?: boolean): WriteState => {
    const inherited = { kind: 'inherited', left: { ...left, isProven }, nowMs: 0 } as never;
    return next(stateAfter(inherited), nothing(minuteMs), terms);
  };

  it('is in doubt, where nothing proves that the one before had no effect', () => {
    expect(lookedUp()).toMatchObject({ stage: 'doubt', generation: 1 });
  });

  it('may be sent, where that is proven', () => {
    expect(lookedUp(true)).toMatchObject({ stage: 'ready', generation: 1 });
  });
});
