import { randomUUID } from 'node:crypto';
import { type Hex, toWallet, type WalletRow } from '../../sandbox/store/records/records';
import { openStore } from '../../sandbox/store/store';
import type { Wallet } from '../../src/custody/objects/wallet';
import { median } from '../measure';
import { freshAddress } from './oracle';
import { acceptedTransfer } from './settle';
import { blockchain, type Target } from './target';

const transactionsCount = 100_000;
const walletsCount = 200;
const callsPerQuery = 25;
const dayMs = 86_400_000;

/** The ids and the address that the list calls ask for. */
export type Filling = { walletIds: string[]; address: string; walletSetId: string };

/** Stores 100,000 transactions of 200 wallets. Every hundredth transaction has failed. */
export function fillStore(dataDir: string): Filling {
  const store = openStore(dataDir);
  const createdAtMs = Date.now() - dayMs;
  const walletSetId = randomUUID();
  const wallets = Array.from({ length: walletsCount }, (_, index) =>
    walletRow({ walletSetId, index, createdAtMs }),
  );
  const shown = wallets.map(toWallet);
  const address = freshAddress();
  store.atomically(() => {
    store.walletSets.insert({ id: walletSetId, index: 0, name: 'bench', createdAtMs });
    for (const row of wallets) store.wallets.insert(row);
    for (let index = 0; index < transactionsCount; index += 1) {
      const wallet = shown[index % walletsCount];
      if (wallet !== undefined) {
        store.transactions.insert({
          ...finalTransfer(wallet, index, address),
          createdAtMs: createdAtMs + index,
        });
      }
    }
  });
  store.close();
  return { walletIds: shown.map(({ id }) => id), address, walletSetId };
}

function walletRow(place: { walletSetId: string; index: number; createdAtMs: number }): WalletRow {
  return {
    ...place,
    id: randomUUID(),
    blockchain,
    address: freshAddress(),
    accountType: 'EOA',
    name: undefined,
    refId: undefined,
  };
}

function finalTransfer(wallet: Wallet, index: number, to: Hex) {
  const row = acceptedTransfer(wallet, to);
  return {
    ...row,
    stage: index % 100 === 0 ? ('FAILED' as const) : ('COMPLETE' as const),
    txHash: `0x${index.toString(16).padStart(64, '0')}`,
  };
}

/** The duration of one list call with 100,000 stored transactions, and with none. */
export type ListTimes = { name: string; fullMs: number; emptyMs: number };

/** Times both targets in turns, so that a disturbance affects both. */
export async function timeLists(
  { full, empty }: { full: Target; empty: Target },
  filling: Filling,
): Promise<ListTimes[]> {
  const times: ListTimes[] = [];
  for (const [name, path] of Object.entries(queriesOf(filling))) {
    const request = { method: 'GET' as const, path: `/v1/w3s${path}` };
    const fullMs: number[] = [];
    const emptyMs: number[] = [];
    for (let call = 0; call < callsPerQuery; call += 1) {
      fullMs.push(await timed(() => full.send(request)));
      emptyMs.push(await timed(() => empty.send(request)));
    }
    times.push({ name, fullMs: median(fullMs), emptyMs: median(emptyMs) });
  }
  return times;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function queriesOf(filling: Filling): Record<string, string> {
  const { walletIds, address, walletSetId } = filling;
  const [one, other] = walletIds;
  const from = new Date(Date.now() - dayMs / 2).toISOString();
  return {
    ...transactionQueries({
      all: '',
      'of all wallets': 'includeAll=true',
      'of a wallet': `walletIds=${one}`,
      'of two wallets': `walletIds=${one},${other}`,
      'to an address': `destinationAddress=${address}`,
      'to one that got none': `destinationAddress=0x${'1'.repeat(40)}`,
      complete: 'state=COMPLETE',
      failed: 'state=FAILED',
      cancelled: 'state=CANCELLED',
      inbound: 'txType=INBOUND',
      transfers: 'operation=TRANSFER',
      calls: 'operation=CONTRACT_EXECUTION',
      'by hash': `txHash=0x${'0'.repeat(64)}`,
      'of a wallet, failed, to an address': `walletIds=${one}&state=FAILED&destinationAddress=${address}`,
      'of today': `from=${from}`,
      'oldest first': 'order=ASC',
      'by fifty': 'pageSize=50',
    }),
    wallets: '/wallets',
    'wallets of a set': `/wallets?walletSetId=${walletSetId}`,
    'wallets at an address': `/wallets?address=${address}`,
    'wallet sets': '/walletSets',
  };
}

function transactionQueries(queries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      `transactions ${name}`,
      `/transactions?${query}`,
    ]),
  );
}
