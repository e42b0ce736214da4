import type { CustodyApi } from '../custody/endpoints';
import { salvageTransaction as salvage } from '../custody/objects/transaction';
import { inFront } from '../orders/progress/inFront';
import { broken, type Finding, fine, firstLine, skipped } from './finding';

/** Usual transactions are through by then. */
const lateMs = 120_000;
/** So many wallets are asked about. */
const walletsMax = 10;

type Reads = Pick<CustodyApi, 'listTransactions' | 'getLowestNonceTransaction'>;

/** Names the transactions that the later ones of their wallets wait for, and what frees each. */
export async function checkStuck(api: Reads): Promise<Finding[]> {
  const name = 'Stuck transactions';
  try {
    const wallets = await waitingWallets(api);
    const asked = wallets
      .slice(0, walletsMax)
      .map(async (walletId) => (await api.getLowestNonceTransaction({ walletId }))?.transaction);
    const found = (await Promise.all(asked)).flatMap((one) => one ?? []);
    if (found.length === 0) return [fine(name, 'none')];
    return found.map((one) =>
      broken(
        name,
        `later payments of the wallet ${one.walletId} wait behind ${inFront(one)}`,
        'See docs/how-to/stuck-or-unknown-payment.md.',
      ),
    );
  } catch (error) {
    return [skipped(name, `not checked: ${firstLine(error)}`)];
  }
}

/** Wallets with a transaction that is stuck, or was sent long ago and is in no block. */
async function waitingWallets(api: Reads): Promise<string[]> {
  const lists = await Promise.all(
    ['STUCK', 'SENT'].map((state) => api.listTransactions({ state, pageSize: 50 }, { salvage })),
  );
  const late = lists
    .flatMap(({ transactions }) => transactions)
    .filter(({ state, createDate = '' }) => {
      return state === 'STUCK' || Date.now() - Date.parse(createDate) > lateMs;
    });
  return [...new Set(late.flatMap(({ walletId }) => walletId || []))];
}
