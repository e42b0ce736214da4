import { takeUpRuns } from '../../../../../workflows/payout/shard/open/takeUp';
import { resultsOf } from '../../../../../workflows/payout/shard/results';
import { partOf } from '../part';

test('a line that another wallet has paid is told under that one when its part starts again', () => {
  const shard = Object.assign(partOf({ generation: 0 }), { changed: () => {} });
  // Only a run of Temporal can tell by itself that it was not reset.
  shard.carried.doubtedAtMs = 1;
  const line = { to: '0x0', amount: '1', token: 'USDC', generation: 0, transactionId: 't' };
  const paid = { ...line, outcome: 'paid', txHash: '0xab' } as const;
  const before = [
    { ...paid, lineId: 'a', walletAddress: '0x9', walletId: 'old' },
    { ...paid, lineId: 'b', walletAddress: '0x2' },
    { ...line, lineId: 'c', outcome: 'failed' as const, walletAddress: '0x9', walletId: 'old' },
  ];
  takeUpRuns(shard, { before, bornAtMs: 0, others: 'ambiguous' });
  expect(resultsOf(shard)).toMatchObject([
    { lineId: 'a', outcome: 'paid', walletAddress: '0x9', walletId: 'old' },
    { lineId: 'b', outcome: 'paid', walletAddress: '0x2' },
    { lineId: 'c', outcome: 'failed', walletAddress: '0x9' },
  ]);
  const [, , failed] = shard.lines;
  if (failed === undefined) throw new Error('The part has no line.');
  shard.writes.apply(failed, { kind: 'again', generation: 1, isProven: true });
  expect(resultsOf(shard)[2]).toMatchObject({ generation: 1, walletAddress: '0x2' });
});
