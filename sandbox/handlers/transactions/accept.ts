import { fault, type Side } from '../../errors/errors';
import type { TransactionRow, WalletRow } from '../../store/records/records';
import { pendingStages } from '../../store/records/stages';
import type { HandlerOptions, Service } from '../service';
import { refuseGasLimit } from './gas';

type Plan = { plan: () => TransactionRow | Promise<TransactionRow> } & Pick<HandlerOptions, 'fate'>;

/** Accepts the transaction of a keyed request, once for each key, and wakes the engine. */
export async function acceptOnce(
  service: Service,
  request: Parameters<Service['idempotent']>[0],
  { plan, fate }: Plan,
): Promise<{ id: string; state: string }> {
  const answer = await service.idempotent(request, async () => {
    const row = await plan();
    await refuseGasLimit(service, row);
    const save = () => accept(service, row, { side: 'wallets', fate });
    return { answer: { id: row.id, state: 'INITIATED' }, save };
  });
  service.engine.wake();
  return answer;
}

/**
 * Stores a new transaction, or refuses it for what its wallet may not do now. Asks nobody else, so
 * that in the commit of the answer it decides for good, however many requests come at a time.
 */
export function accept(
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
