import type { CustodyApi } from '../../custody/endpoints';
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
};

/**
 * Passes on the receipts of some wallets on one chain. Throws an OtherAccountError at a receipt of
 * a sender that the account does not have, since the archive of another account explains nothing
 * here. Where only some wallets are wanted, one of the other senders is asked for.
 */
export async function* ownReceipts(
  receipts: AsyncIterable<ArchivedReceipt>,
  { custody, blockchain, wallets, isWhole, pace }: Account,
): AsyncGenerator<ArchivedReceipt> {
  const checked = new Set<string>();
  for await (const receipt of receipts) {
    if (receipt.chain.blockchain !== blockchain) continue;
    const sender = receipt.sender.toLowerCase();
    const isWanted = wallets.has(sender);
    if (!isWanted && !checked.has(sender) && (isWhole || checked.size === 0)) {
      // A wallet that was made after the list of them was read is the account's own.
      const found = await pace(() => custody.listWallets({ address: sender, blockchain }));
      if (found.wallets.length === 0) throw ofAnother(receipt);
      checked.add(sender);
    }
    if (isWanted || isWhole) yield receipt;
  }
}

function ofAnother({ order, step, item, sender, chain }: ArchivedReceipt): OtherAccountError {
  return new OtherAccountError(
    `STEADFAST_STORE: the archive has a receipt of ${order.id} (${step}/${item}) whose sender ` +
      `${sender} is no wallet of this account on ${chain.blockchain}. ` +
      'Name the archive of this account.',
  );
}
