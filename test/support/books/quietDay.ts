import { formatTransaction, formatTransactionReceipt, type Hex } from 'viem';
import type { ChainNode, WholeBlock } from '../../../src/books/chain/node';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Transaction } from '../../../src/custody/objects/transaction';

export const [opening, closing, head] = [599_990, 600_000, 600_001];
export const period = { fromMs: Date.UTC(2026, 0, 31), untilMs: Date.UTC(2026, 1, 1) };
export const wallet: Hex = `0x${'1'.repeat(40)}`;

/** A quiet day on a long chain, on which nothing moves. */
export const quietNode: ChainNode = {
  chainId: async () => 5_042_002,
  head: async () => head,
  timeMsOf: async (block) => {
    if (block > closing) return period.untilMs;
    return block > opening ? period.fromMs : block;
  },
  blocks: async (numbers) => numbers.map((number) => ({ number, timeMs: 0, transactions: [] })),
  blocksWith: async () => [],
  blockOf: async () => undefined,
  tellsAllLogs: async () => true,
  decimals: async () => undefined,
  balance: async () => 0n,
  serves: async () => true,
  hasTimeFor: async () => true,
  endOfWindow: (_, high) => high,
  keepsStateOf: async () => true,
};

type Custody = Pick<
  CustodyApi,
  'listTransactions' | 'listWallets' | 'listBalances' | 'listNfts' | 'getToken'
>;

/** The service of an account with one wallet, with such records. */
export function quietCustody(records: readonly Transaction[] = []): Custody {
  const dates = { createDate: '2026-01-01T00:00:00Z', updateDate: '2026-01-01T00:00:00Z' };
  const about = { blockchain: 'ARC-TESTNET', walletSetId: 's', custodyType: 'DEVELOPER' };
  const own = { id: 'w', address: wallet, accountType: 'EOA', state: 'LIVE', ...about, ...dates };
  return {
    listTransactions: async ({ pageAfter, txHash }) => ({
      transactions:
        pageAfter === undefined
          ? records.filter((one) => txHash === undefined || one.txHash === txHash)
          : [],
    }),
    listBalances: async () => ({ tokenBalances: [] }),
    listNfts: async () => ({ nfts: [] }),
    listWallets: async ({ pageAfter }) => ({ wallets: pageAfter === undefined ? [own] : [] }),
    getToken: async () => {
      throw new Error('Nothing was paid.');
    },
  };
}

type RawLog = { address: string; topics: readonly Hex[]; data: Hex };
type Sent = { hash: Hex; from: string; to: string; log?: RawLog; gasPrice?: Hex };

/** A block with one transaction, which makes one log at most. Its gas is free unless it has a price. */
export function blockWith(
  { hash, from, to, log, gasPrice = '0x0' }: Sent,
  place: { number: number; timeMs: number },
): WholeBlock {
  const own = { from, to, type: '0x0', transactionIndex: '0x0', input: '0x', nonce: '0x0' };
  const gas = { gas: '0x1', gasPrice, gasUsed: '0x1', effectiveGasPrice: gasPrice };
  const logs = log === undefined ? [] : [{ ...log, logIndex: '0x0' }];
  const told = { ...own, ...gas, hash, transactionHash: hash, value: '0x0', status: '0x1', logs };
  const raw = told as never;
  const both = { transaction: formatTransaction(raw), receipt: formatTransactionReceipt(raw) };
  return { ...place, transactions: [both] };
}

export async function* none() {}
