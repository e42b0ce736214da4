import { next } from '../../../workflows/write/machine/machine';
import {
  type Event,
  newWrite,
  type WriteState,
  wishOf,
} from '../../../workflows/write/machine/writeState';

const minuteMs = 60_000;
const graceMs = 10 * minuteMs;
const terms = { lookupGraceMs: graceMs, keyLifetimeMs: 100 * graceMs, checksReceipts: false };
const fault = 'The service refused it.';
const unread = (nowMs: number): Event => ({ kind: 'unread', fault, nowMs });
const away = (nowMs: number): Event => ({ kind: 'unread', nowMs });
const none = (nowMs: number): Event => {
  return { kind: 'looked', askedAtMs: nowMs, traces: [], seen: 3, nowMs };
};
const read = (nowMs: number, state: string): Event => {
  const record = { id: 't', state, txHash: '0x1' };
  return { kind: 'record', record, faults: [], nowMs };
};

function stateAfter(stage: WriteState['stage'], given: Partial<WriteState>, ...events: Event[]) {
  const first = newWrite({ generation: 0, knownAtMs: 0, stage, ...given });
  return events.reduce((state, event) => next(state, event, terms), first);
}

describe('an accepted write whose record nobody can read', () => {
  const taken = (...events: Event[]): WriteState =>
    stateAfter('accepted', { transactionId: 't', accepted: {} }, ...events);

  it('is a contradiction once that has lasted over the whole grace period', () => {
    const stages = [graceMs, graceMs + 1].map((ms) => taken(unread(1), unread(ms)).stage);
    expect(stages).toEqual(['accepted', 'disputed']);
    const { why } = taken(unread(1), unread(graceMs + 1));
    expect(why).toBe('The record of transaction t cannot be read. The service refused it.');
  });

  it('is none while only the service is away, nor after a record in between', () => {
    expect(taken(away(1), away(graceMs + 1), unread(2 * graceMs)).stage).toBe('accepted');
    const between = taken(unread(1), read(minuteMs, 'SENT'), unread(graceMs + 1));
    expect(between.stage).toBe('accepted');
  });

  it('goes on by itself from a record that can be read later', () => {
    const disputed = [unread(1), unread(graceMs + 1)];
    expect(taken(...disputed, read(2 * graceMs, 'SENT')).stage).toBe('accepted');
    expect(taken(...disputed, read(2 * graceMs, 'COMPLETE')).stage).toBe('completed');
  });

  it('is read a few times an hour from then on', () => {
    let state = taken(unread(1), unread(graceMs + 1));
    let count = 0;
    for (let nowMs = graceMs; nowMs < 7 * graceMs; count += 1) {
      nowMs = Math.max(wishOf(state).atMs, nowMs + 1);
      state = next(state, unread(nowMs), terms);
    }
    expect(count).toBeLessThan(25);
  });
});

describe('a look-up that nobody can read', () => {
  it.each(['unseen', 'doubt'] as const)(
    'asks a person about a write that may have been sent and is %s',
    (stage) => {
      const look = (...events: Event[]): WriteState =>
        stateAfter(
          stage,
          { tries: 'ambiguous', sinceMs: stage === 'doubt' ? 0 : undefined },
          ...events,
        );
      expect(look(unread(1), unread(graceMs - 1)).stage).toBe(stage);
      const disputed = look(unread(1), unread(graceMs + 1));
      expect(disputed).toMatchObject({ stage: 'disputed', why: fault });
      expect(wishOf(disputed).want).toBe('lookUp');
      // A list without it proves nothing yet: it is not sent without a person's word.
      expect(next(disputed, none(2 * graceMs), terms).stage).toBe('unknown');
    },
  );

  it('asks nobody about a write that was never sent', () => {
    const state = stateAfter('unseen', {}, unread(1), unread(graceMs + 1));
    expect(state.stage).toBe('unseen');
    expect(next(state, none(2 * graceMs), terms).stage).toBe('ready');
  });

  it('is no look-up for the word that a write had no effect', () => {
    const asked = stateAfter('unknown', { tries: 'ambiguous' }, unread(1));
    expect(asked.stage).toBe('disputed');
  });
});
