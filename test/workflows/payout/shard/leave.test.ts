import type { FoundLines } from '../../../../activities/payout/findLines';
import type { IndexedRecord } from '../../../../src/store/index/records';
import { adopt, lookUpFromMs } from '../../../../workflows/payout/shard/batches/adopt';
import { makeBatch } from '../../../../workflows/payout/shard/batches/batches';
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

test('a batch that was never sent loses a line to an older attempt', () => {
  const attempt = secondAttempt({});
  adopt(attempt.shard, [attempt.batch], shown(attempt, 0));
  const batches = attempt.shard.payments.batches().map(({ lineIds }) => lineIds);
  expect(batches).toEqual(expect.arrayContaining([['a'], ['b', 'c']]));
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
