import type { TransactionReceipt } from 'viem';
import type { TransactionResult } from '../../chain/node/mineBlock';
import { readOutcomes, type UserOperationOutcome } from '../../chain/readOutcomes';
import { report } from '../../errors/report';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { TransactionRow } from '../../store/records/records';
import { toNetworkFee } from '../broadcast/fees';
import { type StageEvent, stageAfter } from '../lifecycle';
import type { EngineParts } from '../parts';
import { setStage } from '../stage';
import { recordEventLogs, watchedEvents } from './eventLogs';
import { recordArrivals } from './inbound';
import { putBackLater } from './putBack';

type Parts = Pick<EngineParts, 'store' | 'chain' | 'tokens'>;

/** Writes down what became of signed transactions, for every record that each of them carries. */
export function conclude(parts: Parts, results: readonly TransactionResult[]): void {
  const { store, chain } = parts;
  const watched = watchedEvents(store);
  putBackLater(store, results);
  const isBundled = ({ hash }: TransactionResult) =>
    store.broadcasts.where('txHash', hash).some(({ operation }) => operation !== undefined);
  const firstLeftOut = results.find((result) => !result.included && isBundled(result));
  for (const result of results) {
    const outcomes = result.included ? readOutcomes(result.receipt, chain.contracts) : [];
    const byHash = new Map(outcomes.map((outcome) => [outcome.userOpHash, outcome]));
    const broadcasts = store.broadcasts.where('txHash', result.hash);
    const bundled = broadcasts.filter(({ operation }) => operation !== undefined);
    const succeeded = broadcasts.flatMap((broadcast) => {
      const { userOpHash } = broadcast;
      const outcome = userOpHash === undefined ? undefined : byHash.get(userOpHash);
      const concluded = { broadcast, result, outcome };
      const isUndone = broadcast.operation !== undefined && outcome === undefined;
      // The nonce of a bundle is ahead where one before it was left out.
      const isAhead = !result.included && result !== firstLeftOut;
      if (isUndone && isAhead) return bundleAgain(parts, broadcast);
      if (isUndone && bundled.length > 1) return bundleAgain(parts, { ...broadcast, alone: true });
      return concludeOne(parts, concluded);
    });
    if (!result.included) continue;
    // A bundle carries nothing but its operations.
    const isBundle = bundled.length > 0;
    const raw = isBundle ? undefined : broadcasts.find((one) => one.raw !== undefined)?.raw;
    recordArrivals(parts, { receipt: result.receipt, raw, carried: succeeded });
    recordEventLogs(store, { receipt: result.receipt, outcomes, watched });
  }
}

/**
 * Any one operation that does not validate undoes its whole bundle, and so does one that steals.
 * The next bundle has each of them alone.
 */
function bundleAgain({ store }: Parts, { id, transactionId, status, alone }: BroadcastRow): [] {
  if (status === 'done') return [];
  const ofBundle = alone === undefined ? {} : { alone };
  store.broadcasts.update(id, { status: 'pending', txHash: undefined, ...ofBundle });
  if (transactionId !== undefined) store.transactions.update(transactionId, { txHash: undefined });
  return [];
}

/** Returns the record, where what it was to do is done. */
function concludeOne({ store }: Parts, concluded: Concluded): TransactionRow[] {
  const { broadcast, result, outcome } = concluded;
  const { id, transactionId, sender, status } = broadcast;
  const row = store.transactions.get(transactionId ?? '');
  // The others of a bundle that is read again are done already.
  const isFailed = !result.included || result.receipt.status !== 'success';
  if (status !== 'done') {
    // No record tells of it.
    if (!result.included && transactionId === undefined) {
      report(`A block has left out the transaction ${result.hash} of ${sender}`, result.reason);
    }
    store.broadcasts.update(id, { status: 'done', ...(isFailed ? { failed: true } : {}) });
  }
  if (status === 'done' || row === undefined) return [];
  // Also one that somebody else has created, by a call of the factory.
  if (outcome && !store.wallets.get(row.walletId)?.deployed) {
    store.wallets.update(row.walletId, { deployed: true });
  }
  const { event, ...facts } = effect(concluded);
  // A stage that the control plane has forced stays. Only the facts of the chain are added.
  const stage = stageAfter(row.stage, event);
  const { errorReason: _, errorDetails: __, ...chainFacts } = facts;
  if (stage !== undefined) setStage(store, row, { ...facts, stage });
  else if (result.included) setStage(store, row, { ...chainFacts, stage: row.stage });
  return event === 'mined' ? [row] : [];
}

type Effect = { event: StageEvent } & Partial<TransactionRow>;
type Concluded = {
  broadcast: BroadcastRow;
  result: TransactionResult;
  outcome: UserOperationOutcome | undefined;
};

/** The event and the fields that a signed transaction's outcome means for its record. */
function effect({ broadcast, result, outcome }: Concluded): Effect {
  if (!result.included) {
    const errorDetails = `The node did not take the transaction: ${result.reason}.`;
    return { event: 'failed', errorReason: 'INTERNAL_ERROR', errorDetails };
  }
  const { receipt } = result;
  const block = blockOf(receipt);
  const reverted = { event: 'failed', errorReason: 'FAILED_ON_CHAIN' } as const;
  if (broadcast.operation !== undefined && outcome === undefined) {
    // Its bundle reverted with it: the account has paid nothing, and its nonce is free still.
    return { ...reverted, ...block, errorDetails: 'The account does not accept the operation.' };
  }
  const paid = outcome ? outcome.actualGasCost : receipt.gasUsed * receipt.effectiveGasPrice;
  const networkFee = toNetworkFee(paid);
  if (broadcast.purpose === 'cancel') return { event: 'cancelled', networkFee };
  const mined = { ...block, networkFee };
  if (outcome ? outcome.success : receipt.status === 'success') return { event: 'mined', ...mined };
  const errorDetails = outcome?.revertReason ?? 'The transaction reverted.';
  return { ...reverted, ...mined, errorDetails };
}

function blockOf({ blockHash, blockNumber }: TransactionReceipt) {
  return { blockHash, blockHeight: Number(blockNumber), confirmedAtMs: Date.now() };
}
