import type { TransactionReceipt } from 'viem';
import type { BroadcastRow } from './broadcastRow';
import type { TransactionResult } from './chain/mineBlock';
import { readOutcomes, type UserOperationOutcome } from './chain/readOutcomes';
import { toNetworkFee } from './fees';
import { recordArrivals } from './inbound';
import { type StageEvent, stageAfter } from './lifecycle';
import type { TransactionRow } from './records';
import type { Service } from './service';
import { setStage } from './stage';

type Parts = Pick<Service, 'store' | 'chain' | 'tokens'>;

/** Writes down what became of signed transactions, for every record that each of them carries. */
export function conclude(parts: Parts, results: readonly TransactionResult[]): void {
  const { store, chain } = parts;
  for (const result of results) {
    const outcomes = result.included ? readOutcomes(result.receipt, chain.contracts) : [];
    const byHash = new Map(outcomes.map((outcome) => [outcome.userOpHash, outcome]));
    const broadcasts = store.broadcasts.where('txHash', result.hash);
    const succeeded = broadcasts.flatMap((broadcast) => {
      const { userOpHash } = broadcast;
      const outcome = userOpHash === undefined ? undefined : byHash.get(userOpHash);
      return concludeOne(parts, { broadcast, result, outcome });
    });
    if (!result.included) continue;
    // A bundle carries nothing but its operations.
    const isBundle = broadcasts.some(({ operation }) => operation !== undefined);
    const raw = isBundle ? undefined : broadcasts.find((one) => one.raw !== undefined)?.raw;
    recordArrivals(parts, { receipt: result.receipt, raw, carried: succeeded });
  }
}

/** Returns the record, where what it was to do is done. */
function concludeOne({ store }: Parts, concluded: Concluded): TransactionRow[] {
  const { broadcast, result, outcome } = concluded;
  const { id, operation, transactionId, status } = broadcast;
  const row = store.transactions.get(transactionId ?? '');
  // The others of a bundle that is read again are done already.
  if (status !== 'done') store.broadcasts.update(id, { status: 'done' });
  if (status === 'done' || row === undefined) return [];
  if (outcome && operation?.initCode !== '0x') {
    store.wallets.update(row.walletId, { deployed: true });
  }
  const { event, ...facts } = effect(concluded);
  // What the control plane has made of a record stays; the facts of the chain are added.
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

/** What the outcome of a signed transaction means for its record. */
function effect({ broadcast, result, outcome }: Concluded): Effect {
  if (!result.included) {
    const errorDetails = `The node did not take the transaction: ${result.reason}.`;
    return { event: 'failed', errorReason: 'INTERNAL_ERROR', errorDetails };
  }
  const { receipt } = result;
  const isOperation = broadcast.operation !== undefined;
  const paid = outcome ? outcome.actualGasCost : receipt.gasUsed * receipt.effectiveGasPrice;
  const networkFee = toNetworkFee(paid);
  const tookNonce = isOperation ? outcome : true;
  if (broadcast.purpose === 'cancel' && tookNonce) return { event: 'cancelled', networkFee };
  const success = outcome ? outcome.success : receipt.status === 'success' && !isOperation;
  const mined = { ...blockOf(receipt), networkFee, confirmedAtMs: Date.now() };
  if (success) return { event: 'mined', ...mined };
  const errorDetails = outcome?.revertReason ?? 'The transaction reverted.';
  return { event: 'failed', ...mined, errorReason: 'FAILED_ON_CHAIN', errorDetails };
}

function blockOf({ blockHash, blockNumber }: TransactionReceipt) {
  return { blockHash, blockHeight: Number(blockNumber) };
}
