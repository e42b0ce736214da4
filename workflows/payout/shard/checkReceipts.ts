import { counted } from '../../../src/orders/payout/tally';
import { longReads } from '../../order/custody';
import { wishOf } from '../../write/writeState';
import { happened, type Line, linesAt, type Shard, stepOf } from './shard';
import { trying } from './trying';

/**
 * Reads the receipts of final records from the chain, in one activity, where the chain is read.
 * Returns when it is worth calling again.
 */
export function checkReceipts(shard: Shard): number {
  const lines = linesAt(shard, 'accepted', 'disputed').filter(
    ({ state }) => wishOf(state).want === 'receipt',
  );
  if (lines.length === 0 || shard.isChecking) return Number.POSITIVE_INFINITY;
  const nowMs = Date.now();
  const due = lines.filter(({ state }) => wishOf(state).atMs <= nowMs);
  if (due.length === 0) return Math.min(...lines.map(({ state }) => wishOf(state).atMs));
  shard.isChecking = true;
  void check(shard, due).finally(() => {
    shard.isChecking = false;
    shard.woken = true;
  });
  return Number.POSITIVE_INFINITY;
}

async function check(shard: Shard, lines: readonly Line[]): Promise<void> {
  const questions = lines.map((line) => {
    const { txHash = '', userOpHash } = line.state.record ?? {};
    const hashes = userOpHash ? { txHash, userOpHash } : { txHash };
    return { ...hashes, sender: line.wallet.address, effect: stepOf(shard, line).effect };
  });
  const receipts = await trying(shard, () =>
    longReads(`${counted(lines.length, 'receipt')} on the chain`).checkReceipts(questions),
  );
  for (const [at, line] of lines.entries()) {
    const receipt = receipts?.[at];
    if (receipt === undefined) happened(shard, line, { kind: 'unread' });
    else happened(shard, line, { kind: 'receipt', receipt });
  }
}
