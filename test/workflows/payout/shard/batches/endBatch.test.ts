import type { IndexedRecord } from '../../../../../src/store/index/records';
import { adopt } from '../../../../../workflows/payout/shard/batches/adopt';
import { makeBatch } from '../../../../../workflows/payout/shard/batches/batches';
import { endBatch } from '../../../../../workflows/payout/shard/batches/endBatch';
import {
  type Batch,
  itemOf,
  noteOnBatch,
  paymentOf,
} from '../../../../../workflows/payout/shard/payments';
import type { Shard } from '../../../../../workflows/payout/shard/shard';
import { newWrite } from '../../../../../workflows/write/machine/writeState';
import { partOf } from '../part';

/** A part that counts nothing: its counters need a workflow. */
function quietPart(): Shard {
  return Object.assign(partOf({ generation: 0 }), { changed: () => {} });
}

/** A part that makes one batch of all of its lines, which were looked up. */
function batchedPart(): { shard: Shard; batch: Batch } {
  const shard = quietPart();
  shard.opened.earlier = { bornAtMs: 0, writes: {}, others: 'clean' };
  const looked = { kind: 'looked', askedAtMs: Date.now(), seen: 1, traces: [] } as const;
  for (const line of shard.lines) shard.writes.apply(line, looked);
  makeBatch(shard, shard.lines);
  const [batch] = shard.payments.batches();
  if (batch === undefined) throw new Error('The lines make no batch.');
  return { shard, batch };
}

test('lines of a batch that was never sent are lines of no batch, so that they may be sent as if there had been none', () => {
  const { shard, batch } = batchedPart();
  shard.writes.apply(batch, { kind: 'cancel', why: 'wrong month' });
  endBatch(shard, batch.item, shard.writes.apply(batch, { kind: 'sending' }));
  expect(shard.lines.map((line) => shard.writes.stateOf(line).stage)).toEqual(
    Array(3).fill('stopped'),
  );
  expect(shard.carried.batchOf).toBeUndefined();
});

test('a line that another wallet has tried to pay goes back to its own one when it is retried', () => {
  const shard = quietPart();
  const [line] = shard.lines;
  if (line === undefined) throw new Error('The part has no line.');
  const others = [{ to: '0x5', baseUnits: '1', mark: '0xaa' }];
  const payments = [paymentOf(shard, line, 0), ...others];
  const from = { walletId: 'old', sourceAddress: '0x99', contractAddress: '0x77' };
  const record = { id: 't1', state: 'COMPLETE', ...from } as IndexedRecord;
  const item = itemOf(line, payments);
  const batch = { item, tokenAddress: '0x3', generation: 0, record, payments };
  adopt(shard, [line], { seen: 1, traces: [], batches: [batch] });
  expect(line.wallet.walletId).toBe('old');
  const [kept] = shard.payments.batches();
  noteOnBatch(shard, kept?.item ?? '', { unpaid: [{ at: 0, reason: 'blocked' }] });
  const completed = { stage: 'completed', transactionId: 't1', record } as const;
  endBatch(shard, kept?.item ?? '', newWrite({ generation: 0, knownAtMs: 0, ...completed }));
  expect(shard.writes.stateOf(line).stage).toBe('refused');
  shard.writes.apply(line, { kind: 'again', generation: 1, isProven: true });
  expect(line.wallet.walletId).toBe('one');
});

test('halves of a batch that had no effect are no doubt of it, where nobody can read what it pays', () => {
  const { shard, batch } = batchedPart();
  const record = { id: 't1', walletId: 'one', state: 'FAILED' } as IndexedRecord;
  const failed = { stage: 'failed', transactionId: 't1', record } as const;
  endBatch(shard, batch.item, newWrite({ generation: 0, knownAtMs: 0, ...failed }));
  const alone = shard.payments.all().filter(({ step }) => step === 'line');
  expect(alone.map(({ item }) => item)).toEqual(['c']);
  const found = { seen: 1, traces: [], batches: [], unread: [record] };
  expect(adopt(shard, alone, found)).toEqual(alone);
  // Only a run of Temporal can note a dispute.
  const other = { ...record, id: 't2' };
  expect(() => adopt(shard, alone, { ...found, unread: [other] })).toThrow('Workflow');
});
