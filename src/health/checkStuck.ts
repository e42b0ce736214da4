import type { CustodyApi } from '../custody/endpoints';
import { salvageTransaction as salvage } from '../custody/objects/transaction';
import { inFront } from '../orders/progress/inFront';
import { broken, fine, firstLine, type HealthFinding, skipped } from './finding';

/** Usual transactions are through by then. */
const lateMs = 120_000;
/** So many wallets are asked about. */
const walletsMax = 10;
const pageSize = 50;

type Reads = Pick<CustodyApi, 'listTransactions' | 'getLowestNonceTransaction'>;

/** Names the transactions that the later ones of their wallets wait for, and what frees each. */
export async function checkStuck(api: Reads): Promise<HealthFinding[]> {
  const name = 'Stuck transactions';
  try {
    const { wallets, isCut } = await waitingWallets(api);
    const first = wallets.slice(0, walletsMax);
    const asked = first.map(
      async (walletId) => (await api.getLowestNonceTransaction({ walletId }))?.transaction,
    );
    const found = (await Promise.all(asked)).flatMap((one) => one ?? []);
    if (found.length === 0) {
      const isAll = !isCut && first.length === wallets.length;
      return [fine(name, isAll ? 'none' : `none among the first ${first.length} wallets`)];
    }
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

/**
 * Wallets with a transaction that is stuck, or was sent long ago and is in no block. What waits
 * longest comes first. The list is cut where a page is full of such transactions.
 */
async function waitingWallets(api: Reads): Promise<{ wallets: string[]; isCut: boolean }> {
  const pages = await Promise.all(
    ['STUCK', 'SENT'].map(async (state) => {
      const page = { state, order: 'ASC', pageSize } as const;
      const { transactions } = await api.listTransactions(page, { salvage });
      return transactions.filter(({ createDate = '' }) => {
        return state === 'STUCK' || Date.now() - Date.parse(createDate) > lateMs;
      });
    }),
  );
  const wallets = pages.flat().flatMap(({ walletId }) => walletId || []);
  return {
    wallets: [...new Set(wallets)],
    isCut: pages.some(({ length }) => length >= pageSize),
  };
}
