import { randomUUID } from 'node:crypto';
import { getAddress, isAddress } from 'viem';
import { fromBaseUnits } from '../../custody/amount';
import type { Balance } from '../../custody/token';
import { readBalance } from '../chain/token';
import { fault, refusal } from '../errors';
import { isoSeconds, toWallet, toWalletSet, type WalletRow } from '../records';
import type { Handlers, Service } from '../service';
import { type KnownToken, toToken } from '../tokens';

type Names =
  | 'createWalletSet'
  | 'getWalletSet'
  | 'createWallets'
  | 'getWallet'
  | 'listWallets'
  | 'listBalances'
  | 'getToken';

const pageSizeDefault = 10;
const pageSizeMax = 50;

/** Wallet sets, wallets, and what they hold. */
export function walletHandlers(service: Service): Handlers<Names> {
  const { store, shown, idempotent, tokens } = service;
  return {
    createWalletSet: (input, options) =>
      idempotent(keyed('createWalletSet', input, options), async () => {
        const row = {
          id: randomUUID(),
          index: service.places.nextSet(),
          name: input.name ?? '',
          createdAtMs: Date.now(),
        };
        return {
          answer: { walletSet: toWalletSet(row) },
          save: () => store.walletSets.insert(row),
        };
      }),

    getWalletSet: async ({ id }) => {
      const row = store.walletSets.get(id);
      if (row === undefined) throw fault('noWalletSet');
      return { walletSet: toWalletSet(row) };
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

    getWallet: async ({ id }) => ({ wallet: toWallet(wallet(service, id), shown) }),

    listWallets: async (input) => {
      const { address, walletSetId, refId, pageAfter } = input;
      const limit = Math.min(Number(input.pageSize ?? pageSizeDefault), pageSizeMax);
      if (input.blockchain !== undefined && input.blockchain !== shown.blockchain) {
        return { wallets: [] };
      }
      const filters = { address: address && checksummed(address), walletSetId, refId };
      const rows = store.wallets.list({ filters, after: pageAfter, limit });
      return { wallets: rows.map((row) => toWallet(row, shown)) };
    },

    listBalances: async (input) => {
      const row = wallet(service, input.id);
      const wanted = input.tokenAddress?.toLowerCase();
      const listed = tokens
        .all()
        .filter(({ address }) => wanted === undefined || address?.toLowerCase() === wanted);
      const balances = await Promise.all(listed.map((token) => balance(service, row, token)));
      return { tokenBalances: balances.filter((held) => held.amount !== '0') };
    },

    getToken: async ({ id }) => {
      const token = tokens.byId(id);
      if (token === undefined) throw fault('noToken');
      return { token: toToken(token, shown.blockchain) };
    },
  };
}

/** What identifies a keyed call on the wallets side. */
export function keyed(
  endpoint: string,
  input: { idempotencyKey: string },
  options: { replayed?: (() => void) | undefined } | undefined,
) {
  const replayed = options?.replayed;
  const key = input.idempotencyKey.toLowerCase();
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
  const { walletSetId, accountType = 'EOA', count = 1, metadata } = input;
  if (store.walletSets.get(walletSetId) === undefined) throw fault('noWalletSet');
  for (const blockchain of input.blockchains) {
    if (blockchain !== shown.blockchain) throw fault('wrongBlockchain', 'wallets', blockchain);
  }
  if (metadata !== undefined && metadata.length !== count) {
    throw refusal(155503, 'The number of metadata entries must equal count');
  }
  const first = service.places.nextWallets(walletSetId, count);
  return Array.from({ length: count }, (_, offset) => {
    const place = { walletSetId, index: first + offset };
    return {
      id: randomUUID(),
      ...place,
      address: keys.address(place, accountType),
      accountType,
      name: metadata?.[offset]?.name,
      refId: metadata?.[offset]?.refId,
      createdAtMs: Date.now(),
    };
  });
}

async function balance(service: Service, row: WalletRow, token: KnownToken): Promise<Balance> {
  const { chain, shown } = service;
  const held =
    token.address === undefined
      ? await chain.client.getBalance({ address: row.address })
      : await readBalance(chain.client, { token: token.address, owner: row.address });
  return {
    amount: fromBaseUnits(held, token.decimals),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
}

function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}
