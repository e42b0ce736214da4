import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import { blockchainFault } from '../blockchainFault';
import { fault, invalid, refusal } from '../errors';
import { fieldFault } from '../http/fieldFaults';
import type { Handlers, Service } from '../service';
import { readPage } from '../store/page';
import { toWallet, toWalletSet, type WalletRow } from '../store/records';
import { toToken } from '../tokens';
import { listBalances } from './balances';

type Names =
  | 'createWalletSet'
  | 'getWalletSet'
  | 'listWalletSets'
  | 'createWallets'
  | 'getWallet'
  | 'listWallets'
  | 'updateWallet'
  | 'listBalances'
  | 'getToken';

/** Hosted-service facts §4: 1,000 wallet sets. */
const walletSetsMax = 1_000;

/** Wallet sets, wallets, and what they hold. */
export function walletHandlers(service: Service): Handlers<Names> {
  const { store, reads, shown, idempotent, tokens } = service;
  return {
    createWalletSet: (input, options) =>
      idempotent(keyed('createWalletSet', input, options), async () => {
        const index = service.places.nextSet();
        if (index >= walletSetsMax) {
          throw fault('tooManyWalletSets', 'wallets', 'there may be 1,000 wallet sets');
        }
        const row = {
          id: randomUUID(),
          index,
          name: input.name ?? '',
          createdAtMs: Date.now(),
        };
        return {
          answer: { walletSet: toWalletSet(row) },
          save: () => store.walletSets.insert(row),
        };
      }),

    getWalletSet: async ({ id }) => {
      const row = reads.walletSets.get(id);
      if (row === undefined) throw fault('noWalletSet');
      return { walletSet: toWalletSet(row) };
    },

    listWalletSets: async (input, options) => {
      const rows = readPage(reads.walletSets, { input, paged: options?.paged });
      return { walletSets: rows.map(toWalletSet) };
    },

    createWallets: (input, options) =>
      idempotent(keyed('createWallets', input, options), async () => {
        const rows = newWallets(service, input);
        return {
          answer: { wallets: rows.map((row) => toWallet(row, shown)) },
          save: () => {
            for (const row of rows) store.wallets.insert(row);
          },
        };
      }),

    getWallet: async ({ id }) => {
      const row = reads.wallets.get(id);
      if (row === undefined) throw fault('noWallet');
      return { wallet: toWallet(row, shown) };
    },

    listWallets: async (input, options) => {
      const { address, walletSetId, refId, scaCore, blockchain = shown.blockchain } = input;
      const isNone = blockchain !== shown.blockchain;
      const filters = {
        id: isNone ? [] : undefined,
        address: address && checksummed(address),
        walletSetId,
        refId,
        scaCore,
      };
      const rows = readPage(reads.wallets, { input, filters, paged: options?.paged });
      return { wallets: rows.map((row) => toWallet(row, shown)) };
    },

    updateWallet: async ({ id, name, refId }) => {
      if (wallet(service, id).frozen) throw fault('walletFrozen');
      const row = store.wallets.update(id, {
        ...(name === undefined ? {} : { name }),
        ...(refId === undefined ? {} : { refId }),
        updatedAtMs: Date.now(),
      });
      return { wallet: toWallet(row, shown) };
    },

    listBalances: (input, options) => listBalances(service, input, options?.paged),

    getToken: async ({ id }) => {
      const token = tokens.byId(id);
      if (token === undefined) throw fault('noToken');
      return { token: toToken(token, shown.blockchain) };
    },
  };
}

/** What identifies a keyed call on the wallets side; the id in its path is a part of it. */
export function keyed(
  name: string,
  input: { idempotencyKey: string; id?: string },
  options: { replayed?: (() => void) | undefined } | undefined,
) {
  const replayed = options?.replayed;
  const key = input.idempotencyKey.toLowerCase();
  const endpoint = input.id === undefined ? name : `${name} ${input.id.toLowerCase()}`;
  return { endpoint, key, side: 'wallets', input, replayed } as const;
}

export function wallet(service: Service, id: string): WalletRow {
  const row = service.store.wallets.get(id);
  if (row === undefined) throw fault('noWallet');
  return row;
}

function newWallets(
  service: Service,
  input: Parameters<Handlers<Names>['createWallets']>[0],
): WalletRow[] {
  const { store, keys, shown } = service;
  const { walletSetId, accountType = 'EOA', count, metadata } = input;
  if (store.walletSets.get(walletSetId) === undefined) throw fault('noWalletSet');
  for (const blockchain of input.blockchains) {
    const wrong = blockchainFault({ blockchain, served: shown.blockchain });
    if (wrong) throw wrong;
  }
  if (input.blockchains.length > 1) {
    const message = 'Each blockchain can be given once';
    throw invalid([fieldFault({ given: input, path: ['blockchains'], message })]);
  }
  if (metadata !== undefined && metadata.length !== count) {
    throw refusal(
      155503,
      'Metadata array length needs to match wallet count in create developer wallets request.',
    );
  }
  const first = service.places.nextWallets(walletSetId, count);
  return Array.from({ length: count }, (_, offset) => {
    const place = { walletSetId, index: first + offset };
    return {
      id: randomUUID(),
      ...place,
      address: keys.address(place, accountType),
      accountType,
      ...(accountType === 'SCA' ? { scaCore: service.settings.scaCore } : {}),
      name: metadata?.[offset]?.name,
      refId: metadata?.[offset]?.refId,
      createdAtMs: Date.now(),
    };
  });
}

/** An address as it is kept; what is none stays as it is, and so is not found. */
export function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}
