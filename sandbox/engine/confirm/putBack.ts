import type { TransactionResult } from '../../chain/node/mineBlock';
import type { BroadcastRow } from '../../store/records/broadcasts';
import { stageAfter } from '../lifecycle';
import type { EngineParts } from '../parts';
import { setStage } from '../stage';

type Records = EngineParts['store'];

/**
 * Puts back into the queue what an EOA has signed after a transaction that was left out. Its nonce
 * is ahead for that reason alone. It is signed again with the nonce that is free.
 */
export function putBackLater(store: Records, results: readonly TransactionResult[]): void {
  const mined = new Set(results.flatMap(({ hash, included }) => (included ? [hash] : [])));
  for (const { hash, included } of results) {
    // A failure that was read before says nothing about the nonces of now.
    const leftOut = included ? [] : store.broadcasts.where('txHash', hash);
    for (const { sender, nonce } of leftOut.filter(({ raw, failed }) => raw && !failed)) {
      const later = store.broadcasts.inFlight(sender).filter((one) => one.nonce > nonce);
      for (const one of later) if (!mined.has(one.txHash ?? '0x')) putBack(store, one);
    }
  }
}

/** The statuses of what waits for a block, or was in this one. */
const returnable: readonly BroadcastRow['status'][] = ['pending', 'assigned'];

/** A replacement that cancels stays: nothing is to be paid any more. So does a forced stage. */
function putBack(store: Records, broadcast: BroadcastRow): void {
  const { id, raw, transactionId = '', purpose, status } = broadcast;
  const row = store.transactions.get(transactionId);
  const stage = row && stageAfter(row.stage, 'putBack');
  const isReturnable = raw !== undefined && purpose === 'carryOut' && returnable.includes(status);
  if (row === undefined || stage === undefined || !isReturnable) return;
  // The row stays without its record, so that nobody can send its bytes.
  const withdrawn = { failed: true, withdrawn: true, transactionId: undefined };
  store.broadcasts.update(id, { status: 'done', ...withdrawn });
  setStage(store, row, { stage, txHash: undefined });
}
