import { randomUUID } from 'node:crypto';
import type { Input } from '../../../src/custody/endpoints';
import { fault, found } from '../../errors/errors';
import { invalidField } from '../../errors/fieldFaults';
import type { WalletRow } from '../../store/records/records';
import { keysOnly, requireWalletBlockchain } from '../../store/records/walletBlockchain';
import type { Service } from '../service';

/** New wallets of a set: as many on each chain, those at one place with one address. */
export function newWallets(service: Service, input: Input<'createWallets'>): WalletRow[] {
  const { store, keys } = service;
  const { walletSetId, blockchains, accountType = 'EOA', count = 1, metadata } = input;
  found(store.walletSets.get(walletSetId), 'noWalletSet');
  for (const blockchain of blockchains) requireBlockchain(service, { blockchain, accountType });
  if (new Set(blockchains).size < blockchains.length) {
    throw invalidField(input, 'blockchains', 'Each blockchain can be given once');
  }
  if (metadata !== undefined && metadata.length !== count) throw fault('metadataLength');
  const first = service.places.nextWallets({ walletSetId, blockchains, count });
  return blockchains.flatMap((blockchain) =>
    Array.from({ length: count }, (_, offset) => {
      const place = { walletSetId, index: first + offset };
      return {
        id: randomUUID(),
        ...place,
        blockchain,
        address: keys.address(place, accountType),
        accountType,
        ...(accountType === 'SCA' ? { scaCore: service.settings.scaCore } : {}),
        name: metadata?.[offset]?.name,
        refId: metadata?.[offset]?.refId,
        createdAtMs: Date.now(),
      };
    }),
  );
}

/** Refuses a chain that such a wallet cannot be on. */
export function requireBlockchain(
  { shown }: Service,
  { blockchain, accountType }: Pick<WalletRow, 'blockchain' | 'accountType'>,
): void {
  requireWalletBlockchain(blockchain, shown.blockchain);
  if (blockchain === keysOnly && accountType === 'SCA') throw fault('noScaOnBlockchain');
}
