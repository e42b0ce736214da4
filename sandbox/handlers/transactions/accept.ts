import { fault, type Side } from '../../errors/errors';
import type { ContractRow } from '../../store/records/contractRecord';
import type { TransactionRow, WalletRow } from '../../store/records/records';
import { pendingStages } from '../../store/records/stages';
import type { HandlerOptions, Service } from '../service';
import type { KeyedCall } from '../wallets/wallets';
import { refuseCost } from './refuseCost';

/** A transaction to accept, the contract that it deploys, if it does, and the answer to that. */
type Plan<Answer> = { transaction: TransactionRow; contract?: ContractRow; answer: Answer };

/** Accepts the transaction of a keyed request, once for each key, and wakes the engine. */
export function acceptOnce<Answer>(
  service: Service,
  { fate, ...request }: KeyedCall,
  plan: () => Promise<Plan<Answer>>,
): Promise<Answer> {
  const { store, engine, idempotent } = service;
  const { side } = request;
  return idempotent(request, async () => {
    const { transaction, contract, answer } = await plan();
    await refuseCost(service, transaction, side);
    const save = () => {
      if (contract !== undefined) store.contracts.insert(contract);
      accept(service, transaction, { side, fate });
      engine.wake();
    };
    return { answer, save };
  });
}

/** The plan of a transaction that is answered with its id. */
export function initiated(transaction: TransactionRow) {
  return { transaction, answer: { id: transaction.id, state: 'INITIATED' } };
}

/**
 * Stores a new transaction, or refuses it for what its wallet may not do now. Asks nobody else, so
 * that in the commit of the answer it decides for good, however many requests come at a time.
 */
function accept(
  { store, settings }: Service,
  row: TransactionRow,
  { side, fate }: { side: Side } & Pick<HandlerOptions, 'fate'>,
): void {
  const { transactions } = store;
  const wallet = store.wallets.get(row.walletId);
  if (wallet?.frozen) throw fault('walletFrozen', side);
  if (transactions.countOf(row.walletId, pendingStages) >= settings.pendingMax) {
    throw fault('tooManyPending', side);
  }
  if (wallet && isFirstUnderWay(store, wallet)) throw fault('firstInProgress', side);
  transactions.insert(fate === undefined ? row : { ...row, fate });
}

/**
 * A smart account is created with its first operation. Until that is queued, the service takes no
 * other.
 */
function isFirstUnderWay({ transactions }: Service['store'], wallet: WalletRow): boolean {
  if (wallet.accountType === 'EOA' || wallet.deployed) return false;
  const isEntering = transactions.countOf(wallet.id, ['INITIATED', 'CLEARED']) > 0;
  return isEntering && transactions.countOf(wallet.id, ['QUEUED', 'SENT', 'STUCK']) === 0;
}
