import type { CustodyApi } from '../../custody/endpoints';
import { strangersInWords } from '../notLookedAt';
import type { ArchivedReceipt } from '../receipt';
import { OtherAccountError } from '../statementError';
import type { WalletIds } from './accountWallets';
import type { ReadPace } from './pace';

type Account = {
  custody: Pick<CustodyApi, 'listWallets'>;
  blockchain: string;
  /** The wallets whose receipts are wanted. */
  wallets: WalletIds;
  /** These are all wallets of the account. */
  isWhole: boolean;
  pace: ReadPace;
  /** False where the account has paid nothing, so that all receipts may be of strangers. */
  hasPaid?: () => boolean;
};

/** The receipts of wallets. They can be read once. */
type OwnReceipts = AsyncIterable<ArchivedReceipt> & {
  /** The receipts that were left out, in words. Known once all are read. */
  notLookedAt(): string[];
};

/**
 * Passes on the receipts of some wallets on one chain. A stranger who may start workflows can have
 * one kept whose sender the account does not have. It is left out. Throws an OtherAccountError at
 * the end if the account has paid and no receipt is its own. The archive of another account
 * explains nothing here.
 */
export function ownReceipts(
  receipts: AsyncIterable<ArchivedReceipt>,
  { custody, blockchain, wallets, isWhole, pace, hasPaid = () => true }: Account,
): OwnReceipts {
  const known = new Map([...wallets.keys()].map((address) => [address, true]));
  let [hasOwn, left] = [false, 0];
  /** A wallet that was made after the list of them was read is the account's own. */
  const isOfAccount = async (sender: string): Promise<boolean> => {
    const found = known.get(sender);
    if (found !== undefined) return found;
    const asked = await pace(() => custody.listWallets({ address: sender, blockchain }));
    known.set(sender, asked.wallets.length > 0);
    return asked.wallets.length > 0;
  };
  async function* passed(): AsyncGenerator<ArchivedReceipt> {
    let stranger: ArchivedReceipt | undefined;
    for await (const receipt of receipts) {
      if (receipt.chain.blockchain !== blockchain) continue;
      const sender = receipt.sender.toLowerCase();
      // One sender of the account is enough where only some wallets are wanted.
      if (!isWhole && hasOwn && !wallets.has(sender)) continue;
      if (await isOfAccount(sender)) {
        hasOwn = true;
        if (isWhole || wallets.has(sender)) yield receipt;
        continue;
      }
      stranger ??= receipt;
      left += 1;
    }
    if (stranger !== undefined && !hasOwn && hasPaid()) throw ofAnother(stranger);
  }
  return { [Symbol.asyncIterator]: passed, notLookedAt: () => strangersInWords(left) };
}

function ofAnother({ order, step, item, sender, chain }: ArchivedReceipt): OtherAccountError {
  return new OtherAccountError(
    `STEADFAST_STORE: the archive has a receipt of ${order.id} (${step}/${item}) whose sender ` +
      `${sender} is no wallet of this account on ${chain.blockchain}, and none of its own. ` +
      'Name the archive of this account.',
  );
}
