import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Ledger, type LedgerWallet, type Transfer } from './ledger';

type Entry = { wallet: LedgerWallet } | { transfer: Transfer };

/**
 * Opens a ledger in a file. It writes each wallet and transfer as one line before the call is
 * answered. So a stub that is killed and started again still knows all that it accepted.
 */
export function openJournal(path: string): Ledger {
  const entries = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const file = openSync(path, 'a');
  let isRead = false;
  const ledger = new Ledger((entry) => {
    if (isRead) writeSync(file, `${JSON.stringify(entry)}\n`);
  });
  for (const text of entries.filter(Boolean)) {
    const entry: Entry = JSON.parse(text);
    if ('wallet' in entry) ledger.addWallet(entry.wallet);
    else {
      // The very wallet, not another one that is like it.
      const { transfer } = entry;
      const wallet = ledger.wallets.get(transfer.wallet.id) ?? transfer.wallet;
      ledger.add({ ...transfer, wallet });
    }
  }
  isRead = true;
  return ledger;
}
