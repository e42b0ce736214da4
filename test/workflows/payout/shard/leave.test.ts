import type { FoundLines } from '../../../../activities/payout/findLines';
import type { IndexedRecord } from '../../../../src/store/index/records';
import { adopt, lookUpFromMs } from '../../../../workflows/payout/shard/batches/adopt';
import { leaveUnproven, makeBatch } from '../../../../workflows/payout/shard/batches/batches';
import { paymentOf } from '../../../../workflows/payout/shard/payments';
import { takeSteer } from '../../../../workflows/payout/shard/steer';
import { newWrite, type WriteState } from '../../../../workflows/write/machine/writeState';
import { pathOf } from '../../../../workflows/write/writes';
import { partOf } from './part';

const lookupGraceMs = 600_000;

/** A part whose second attempt at three lines is a batch, which the list does not show. */
function secondAttempt(own: Partial<WriteState>) {
  const shard = partOf({ generation: 1, lookupGraceMs });
  makeBatch(shard, shard.lines);
  const [batch] = shard.payments.batches();
  if (batch === undefined) throw new Error('No batch was made.');
  shard.carried.writes[pathOf(batch)] = newWrite({ generation: 0, knownAtMs: 0, ...own });
  return { shard, batch };
}

/** A look-up that shows a batch of another attempt, which has paid the first line. */
function shown({ shard }: ReturnType<typeof secondAttempt>, generation: number): FoundLines {
  const [first] = shard.lines;
  const payments = first === undefined ? [] : [paymentOf(shard, first, generation)];
  const record = { id: 't1', walletId: 'one', state: 'COMPLETE' } as IndexedRecord;
  const batch = { item: 'other', tokenAddress: '0x3', generation: 0, record, payments };
  return { seen: 1, traces: [], batches: [batch] };
}

describe('a batch that may be under way, and that the list does not show,', () => {
  test.each([
    ['may have been sent', { tries: 'ambiguous' } as const],
    ['has a transaction', { transactionId: 't2' }],
  ])('keeps its lines from an older attempt, if it %s', (_, own) => {
    const attempt = secondAttempt(own);
    const { shard, batch } = attempt;
    adopt(shard, [batch], shown(attempt, 0));
    expect(shard.payments.batches().map(({ lineIds }) => lineIds)).toEqual([['a', 'b', 'c']]);
    expect(shard.writes.stateOf(batch)).toMatchObject(own);
  });

  test('is not sent while an older attempt may have paid, and makes way for it later', () => {
    const attempt = secondAttempt({ tries: 'ambiguous' });
    const { shard, batch } = attempt;
    expect(adopt(shard, [batch], shown(attempt, 0))).toEqual([]);
    expect(lookUpFromMs(shard, batch)).toBeGreaterThan(Date.now());
    expect(shard.writes.stateOf(batch).stage).toBe('unseen');
    Object.assign(shard.carried.heldBack ?? {}, { untilMs: 0 });
    adopt(shard, [batch], shown(attempt, 0));
    const batches = shard.payments.batches().map(({ lineIds }) => lineIds);
    expect(batches).toEqual(expect.arrayContaining([['a'], ['b', 'c']]));
  });

  test('loses a line to the same attempt, and its others wait until it would show', () => {
    const attempt = secondAttempt({ tries: 'ambiguous' });
    const { shard, batch } = attempt;
    const fromMs = Date.now() + lookupGraceMs;
    adopt(shard, [batch], shown(attempt, 1));
    const batches = shard.payments.batches().map(({ lineIds }) => lineIds);
    expect(batches).toEqual(expect.arrayContaining([['a'], ['b', 'c']]));
    expect(shard.carried.heldBack?.items).toEqual(['b', 'c']);
    expect(shard.carried.heldBack?.untilMs).toBeGreaterThanOrEqual(fromMs);
  });
});

test('a line whose own transaction is known belongs to no batch of before that had no effect', () => {
  const shard = partOf({ generation: 1, lookupGraceMs });
  const [line] = shard.lines;
  if (line === undefined) throw new Error('The part has no line.');
  const record = { id: 't1', walletId: 'one', state: 'CANCELLED' } as IndexedRecord;
  const payments = [paymentOf(shard, line, 0)];
  const batch = { item: 'other', tokenAddress: '0x3', generation: 0, record, payments };
  const found = { seen: 1, traces: [], batches: [batch] };
  const own = { transactionId: 't2', tries: 'ambiguous' } as const;
  shard.carried.writes[pathOf(line)] = newWrite({ generation: 1, knownAtMs: 0, ...own });
  expect(adopt(shard, [line], found)).toEqual([line]);
  expect(shard.payments.batches()).toEqual([]);
});

test('a batch that was never sent loses a line to an older attempt', () => {
  const attempt = secondAttempt({});
  adopt(attempt.shard, [attempt.batch], shown(attempt, 0));
  const batches = attempt.shard.payments.batches().map(({ lineIds }) => lineIds);
  expect(batches).toEqual(expect.arrayContaining([['a'], ['b', 'c']]));
});

describe('a batch of lines that may be sent again, since a record has proven that they failed,', () => {
  const proof = { id: 'first', sinceMs: 0, atMs: Date.now() - lookupGraceMs - 1_000 };
  const retried = (own: Partial<WriteState>, of: Partial<WriteState>) => {
    const attempt = secondAttempt(own);
    for (const line of attempt.shard.lines) {
      const write = { generation: 1, knownAtMs: 0, isProven: true, ...of };
      attempt.shard.carried.writes[pathOf(line)] = newWrite(write);
    }
    return attempt;
  };

  test('falls apart once the proof is old, and each line is to be proven again', () => {
    const { shard, batch } = retried({ stage: 'ready' }, { proof });
    expect(leaveUnproven(shard, batch)).toBe(true);
    expect(shard.payments.batches()).toEqual([]);
    for (const line of shard.lines) {
      expect(shard.writes.stateOf(line)).toMatchObject({ stage: 'unseen', isProven: undefined });
    }
  });

  test.each([
    ['the proof is young', { stage: 'ready' }, { proof: { ...proof, atMs: Date.now() } }],
    ['the chain itself has shown it', { stage: 'ready' }, {}],
    ['the batch may have been sent', { stage: 'ready', tries: 'ambiguous' }, { proof }],
  ] as const)('stays whole if %s', (_, own, of) => {
    const { shard, batch } = retried(own, of);
    expect(leaveUnproven(shard, batch)).toBe(false);
    expect(shard.payments.batches()).toHaveLength(1);
  });
});

const steer = { firstRunId: 'first', openMax: 5, linesPerS: null, isCancelled: false };

test('a part that does not know its earlier runs yet hides none of them from the next run', () => {
  const shard = partOf({ generation: 0 });
  takeSteer(shard, steer);
  expect(shard.carried.steer).toBe(steer);
  // Only a run of Temporal can note that it has begun.
  shard.carried.earlier = { bornAtMs: 0, writes: {}, others: 'clean' };
  expect(() => takeSteer(shard, steer)).toThrow('Workflow');
});
