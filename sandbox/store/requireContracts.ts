import { scaCores } from '../../src/custody/objects/wallet';
import { otherVersion } from './database';
import type { Store } from './store';

/** The setting that says which contracts the chain in a folder began with. */
export const contractsSetting = 'contracts';

/**
 * Throws if the records were written over other contracts than these. Then blocks would not replay
 * and accounts would have other addresses, since both follow from the code. New records are bound
 * to these contracts.
 */
export function requireContracts(
  store: Store,
  { codeHash, dataDir }: { codeHash: string; dataDir: string | undefined },
): void {
  const kept = store.setting(contractsSetting);
  if (kept === codeHash) return;
  const hasChain = store.blocks.newest(1).length > 0;
  if (kept !== undefined || hasChain || hasAccounts(store)) throw otherVersion(dataDir);
  store.setSetting(contractsSetting, codeHash);
}

function hasAccounts({ wallets }: Store): boolean {
  return scaCores.some((core) => wallets.where('scaCore', core).length > 0);
}
