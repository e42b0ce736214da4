import type { LineResult } from '../../../../../src/orders/payout';
import { takeUpRuns } from '../../../../../workflows/payout/shard/open/takeUp';
import { resultsOf } from '../../../../../workflows/payout/shard/results';
import { newWrite } from '../../../../../workflows/write/machine/writeState';
import { partOf } from '../part';

const known = { to: '0x0', amount: '1', token: 'USDC', walletAddress: '0x2' };

/** A part whose earlier run has told of its lines, as the run has left it. */
function takenUp(before: readonly Partial<LineResult>[]) {
  const shard = Object.assign(partOf({ generation: 0 }), { changed: () => {} });
  // Only a run of Temporal can tell by itself that it was not reset.
  shard.carried.doubtedAtMs = 1;
  shard.opened.answers = true;
  const results = before.map((own) => ({ ...known, generation: 0, ...own }) as LineResult);
  takeUpRuns(shard, { before: results, isTold: true, bornAtMs: 0, others: 'ambiguous' });
  return shard;
}

test('a line that waited for a person is told once it has ended', () => {
  const { carried } = takenUp([
    { lineId: 'a', outcome: 'paid', transactionId: 't', txHash: '0xab' },
    { lineId: 'b', outcome: 'unknown' },
    { lineId: 'c', outcome: 'unknown', givenUp: true, reason: 'Given up.' },
  ]);
  expect(carried.answered).toEqual({ a: 'paid#0', c: 'unknown#0' });
});

test('a retry that waits for its proof keeps its number, also while a person is asked', () => {
  const shard = takenUp([{ lineId: 'a', outcome: 'unknown', generation: 1, isUnsent: true }]);
  const [line] = shard.lines;
  if (line === undefined) throw new Error('The part has no line.');
  expect(shard.writes.stateOf(line)).toMatchObject({ stage: 'unseen', generation: 1 });
  const state = { generation: 0, goesOnAs: 1, transactionId: 't', stage: 'disputed' } as const;
  shard.carried.writes['line/a'] = newWrite({ ...state, knownAtMs: 0 });
  const [told] = resultsOf(shard);
  expect(told).toMatchObject({ outcome: 'unknown', generation: 1, isUnsent: true });
  expect(told?.transactionId).toBe('t');
});

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
