import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import { fault, found } from '../../errors/errors';
import { presentField, toWallet, type WalletRow } from '../../store/records/records';
import { requireWalletBlockchain, walletsAt } from '../../store/records/walletBlockchain';
import type { HandlerOptions, SandboxApi, Service } from '../service';
import { requireBlockchain } from './newWallets';
import { requireWallet } from './wallets';

/** The same account on another chain. Where that is there already, its name and reference. */
export function deriveHandlers(service: Service) {
  const { store, shown } = service;
  return {
    deriveWallet: async ({ id, blockchain, metadata }, options) =>
      derive(service, { source: requireWallet(service, id), blockchain, metadata }, options),

    deriveWalletByAddress: async (input, options) => {
      const { sourceBlockchain, walletAddress, targetBlockchain, metadata } = input;
      requireWalletBlockchain(sourceBlockchain, shown.blockchain);
      if (!isAddress(walletAddress, { strict: false })) throw fault('sourceInvalid');
      const place = { address: getAddress(walletAddress), blockchain: sourceBlockchain };
      const source = found(walletsAt(store, place)[0], 'noWallet');
      return derive(service, { source, blockchain: targetBlockchain, metadata }, options);
    },
  } satisfies Partial<SandboxApi>;
}

type Derivation = Pick<Input<'deriveWallet'>, 'blockchain' | 'metadata'> & { source: WalletRow };

function derive(
  service: Service,
  { source, blockchain, metadata }: Derivation,
  options: HandlerOptions | undefined,
) {
  const { store, places } = service;
  const { walletSetId, index, address, accountType, scaCore } = source;
  requireBlockchain(service, { blockchain, accountType });
  const [there] = walletsAt(store, { address, blockchain });
  if (source.frozen || there?.frozen) throw fault('walletFrozen');
  if (there !== undefined) {
    options?.replayed?.();
    const change = {
      ...presentField('name', metadata?.name),
      ...presentField('refId', metadata?.refId),
    };
    if (Object.keys(change).length === 0) return { wallet: toWallet(there) };
    const row = store.wallets.update(there.id, { ...change, updatedAtMs: Date.now() });
    return { wallet: toWallet(row) };
  }
  const row: WalletRow = {
    id: randomUUID(),
    walletSetId,
    index,
    address,
    accountType,
    blockchain,
    ...presentField('scaCore', scaCore),
    name: metadata?.name,
    refId: metadata?.refId,
    createdAtMs: Date.now(),
  };
  store.wallets.insert(row);
  places.took(row);
  return { wallet: toWallet(row) };
}
