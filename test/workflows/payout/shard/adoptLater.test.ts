import type { IndexedRecord } from '../../../../src/store/index/records';
import { adopt } from '../../../../workflows/payout/shard/batches/adopt';
import { itemOf, noteOnBatch, paymentOf } from '../../../../workflows/payout/shard/payments';
import { newWrite } from '../../../../workflows/write/machine/writeState';
import { partOf } from './part';

test('a batch that is found for one line after another stands for all of them and keeps its receipt', () => {
  const shard = partOf({ generation: 0 });
  const [first] = shard.lines;
  const all = shard.lines.map((line) => paymentOf(shard, line, 0));
  const item = first === undefined ? '' : itemOf(first, all);
  shard.carried.writes[`batch/${item}`] = newWrite({ generation: 0, knownAtMs: 0 });
  const record = { id: 't1', walletId: 'one', state: 'SENT' } as IndexedRecord;
  for (const line of shard.lines) {
    // A look-up names only the lines that it is for.
    const payments = all.map(({ line: named, ...payment }) =>
      named?.lineId === line.item ? { ...payment, line: named } : payment,
    );
    const batch = { item, tokenAddress: '0x3', generation: 0, record, payments };
    const counting = adopt(shard, [line], { seen: 1, traces: [], batches: [batch] });
    expect(counting.map((one) => one.item)).toEqual([item]);
    if (line === first) noteOnBatch(shard, item, { unpaid: [{ at: 1 }] });
  }
  const lineIds = ['a', 'b', 'c'];
  expect(shard.payments.batches()).toMatchObject([{ lineIds, unpaid: [{ at: 1 }] }]);
  expect(shard.payments.all()).toHaveLength(1);
});
