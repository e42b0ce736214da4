import { movementInWords } from '../../src/chain/movements';
import { memoIdOf } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import { sameText } from '../../src/custody/objects/sameText';
import type { ResolvedWallet } from '../../src/orders/kind';
import { tryRead } from '../attempt';
import { type ProvenPayment, provenPayments } from '../chain/memos';
import type { ProvenLines } from './findLines';

/** A line with the money that it pays. */
type SoughtLine = { lineId: string; to: string; tokenAddress: string; baseUnits: string };

/** The lines to look for on the chain, and the wallets of their payout. */
type MemoSearch = {
  workflowId: string;
  lines: readonly SoughtLine[];
  wallets: readonly ResolvedWallet[];
};

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
    const { workflowId, lines } = search;
    const wallets = search.wallets.filter(({ accountType }) => accountType !== 'SCA');
    if (chainRpcUrl === undefined || wallets.length === 0) return {};
    const lineOf = new Map(
      lines.flatMap((line) =>
        generations.map((generation) => [memoIdOf(workflowId, line.lineId, generation), line]),
      ),
    );
    const proven = await provenPayments(chainRpcUrl, {
      memoIds: [...lineOf.keys()],
      senders: wallets.map(({ address }) => address),
      sinceMs: await oldestMs(wallets),
    });
    const found: ProvenLines = {};
    for (const payment of proven) {
      const line = lineOf.get(payment.memoId);
      if (line === undefined) continue;
      const isPaid = pays(line, payment);
      if (isPaid || found[line.lineId] === undefined) {
        found[line.lineId] = `${wordsOf(payment, isPaid)} The service's list has no record of it.`;
      }
    }
    return found;
  };
}

/** True if a payment is the one that a line orders. Its memo alone says only which line it names. */
function pays({ to, tokenAddress, baseUnits }: SoughtLine, { moved }: ProvenPayment): boolean {
  const isSame = sameText(to, moved.to) && sameText(tokenAddress, moved.token);
  return isSame && moved.baseUnits === BigInt(baseUnits);
}

/** Another payment with the memo of a line holds it back too: it may be that line, as it was once. */
function wordsOf({ hash, moved }: ProvenPayment, isPaid: boolean): string {
  if (isPaid) return `The chain shows that ${hash} has paid it: ${movementInWords(moved)}.`;
  return (
    `The chain shows that ${hash} has the memo of this line, and is not its payment: ` +
    `${movementInWords(moved)}.`
  );
}
