import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import { type EndpointName, endpoints, type Input } from '../../../src/custody/endpoints';
import { fault, found, sideOf } from '../../errors/errors';
import { readPage } from '../../store/page';
import { presentField, toWallet, toWalletSet, type WalletRow } from '../../store/records/records';
import type { HandlerOptions, SandboxApi, Service } from '../service';
import { newWallets } from './newWallets';

/** An account of the hosted service has at most so many wallet sets. */
const walletSetsMax = 1_000;

/** Wallet sets and wallets. */
export function walletHandlers(service: Service) {
  const { store, reads, idempotent } = service;
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

    updateWalletSet: async ({ id, name }) => {
      found(store.walletSets.get(id), 'noWalletSet');
      const change = { ...presentField('name', name), updatedAtMs: Date.now() };
      const row = store.walletSets.update(id, change);
      return { walletSet: toWalletSet(row) };
    },

    getWalletSet: async ({ id }) => ({
      walletSet: toWalletSet(found(reads.walletSets.get(id), 'noWalletSet')),
    }),

    listWalletSets: async (input, options) => {
      const rows = readPage(reads.walletSets, { input, paged: options?.paged });
      return { walletSets: rows.map(toWalletSet) };
    },

    createWallets: (input, options) =>
      idempotent(keyed('createWallets', input, options), async () => {
        const rows = newWallets(service, input);
        return {
          answer: { wallets: rows.map(toWallet) },
          save: () => {
            for (const row of rows) store.wallets.insert(row);
          },
        };
      }),

    getWallet: async ({ id }) => ({ wallet: toWallet(found(reads.wallets.get(id), 'noWallet')) }),

    listWallets: async (input, options) => {
      const filters = walletFilters(input);
      const rows = readPage(reads.wallets, { input, filters, paged: options?.paged });
      return { wallets: rows.map(toWallet) };
    },

    updateWallet: async ({ id, name, refId }) => {
      if (requireWallet(service, id).frozen) throw fault('walletFrozen');
      const row = store.wallets.update(id, {
        ...presentField('name', name),
        ...presentField('refId', refId),
        updatedAtMs: Date.now(),
      });
      return { wallet: toWallet(row) };
    },
  } satisfies Partial<SandboxApi>;
}

type Filter = Pick<
  Input<'listWallets'>,
  'address' | 'walletSetId' | 'refId' | 'scaCore' | 'blockchain'
>;

/** The wallets that a list is of, by the columns of their table. */
export function walletFilters(input: Filter) {
  const { address, walletSetId, refId, scaCore, blockchain } = input;
  return { address: address && addressAsKept(address), walletSetId, refId, scaCore, blockchain };
}

export type KeyedCall = ReturnType<typeof keyed>;

/** The identity of a keyed call, and what else its options say. The id in its path is a part. */
export function keyed(
  name: EndpointName,
  input: { idempotencyKey: string; id?: string },
  { replayed, fate }: HandlerOptions = {},
) {
  const key = input.idempotencyKey;
  const endpoint = input.id === undefined ? name : `${name} ${input.id}`;
  return { endpoint, key, side: sideOf(endpoints[name]), input, replayed, fate };
}

export function requireWallet(service: Service, id: string): WalletRow {
  return found(service.store.wallets.get(id), 'noWallet');
}

/** An address as it is kept. Any other text stays as it is, so nothing is found. */
export function addressAsKept(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}
