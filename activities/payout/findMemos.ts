import { memoIdOf } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { ResolvedWallet } from '../../src/orders/kind';
import { tryRead } from '../attempt';
import { provenPayments } from '../chain/memos';
import { inWords } from '../chain/movements';
import type { LineSearch, ProvenLines } from './findLines';

/** The lines to look for on the chain, and the wallets of their payout. */
export type MemoSearch = LineSearch & { wallets: readonly ResolvedWallet[] };

/** Attempts at a line that are looked for. Few lines are retried more often. */
const generations = [0, 1, 2, 3];

/**
 * Looks for memos of lines on the chain: the memory of last resort, where the service's list has
 * forgotten a payment. Looks only for attempts of the payout's own wallets.
 */
export function findMemosActivity(custody: CustodyApi, chainRpcUrl: string | undefined) {
  const createdMs = new Map<string, number>();

  /** When the oldest of some wallets was created. None has sent anything before. */
  const oldestMs = async (wallets: readonly ResolvedWallet[]): Promise<number> => {
    for (const { walletId: id } of wallets) {
      if (createdMs.has(id)) continue;
      const { wallet } = await tryRead((signal) => custody.getWallet({ id }, { signal }));
      createdMs.set(id, Date.parse(wallet.createDate));
    }
    return Math.min(...wallets.map(({ walletId }) => createdMs.get(walletId) ?? 0));
  };

  return async function findMemos(search: MemoSearch): Promise<ProvenLines> {
    const { workflowId, lineIds } = search;
    const wallets = search.wallets.filter(({ accountType }) => accountType !== 'SCA');
    if (chainRpcUrl === undefined || wallets.length === 0) return {};
    const lineOf = new Map(
      lineIds.flatMap((lineId) =>
        generations.map((generation) => [memoIdOf(workflowId, lineId, generation), lineId]),
      ),
    );
    const proven = await provenPayments(chainRpcUrl, {
      memoIds: [...lineOf.keys()],
      senders: wallets.map(({ address }) => address),
      sinceMs: await oldestMs(wallets),
    });
    return Object.fromEntries(
      proven.map(({ memoId, hash, moved }) => [
        lineOf.get(memoId) ?? '',
        `The chain shows that ${hash} has paid it: ${inWords(moved)}. ` +
          "The service's list does not have it.",
      ]),
    );
  };
}
