import {
  encodeAbiParameters,
  formatTransaction,
  formatTransactionReceipt,
  type Hex,
  pad,
  parseAbiParameters,
  toEventSelector,
  toHex,
} from 'viem';
import type { ChainNode, WholeBlock } from '../../../src/books/chain/node';
import { withEarlier } from '../../../src/books/chain/period';
import { closeDay } from '../../../src/books/reconcile/closeDay';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { periodOfDay } from '../../../src/orders/schedule/dailyClose';

const [opening, closing, head] = [599_990, 600_000, 600_001];
const period = { fromMs: Date.UTC(2026, 0, 31), untilMs: Date.UTC(2026, 1, 1) };
const wallet = `0x${'1'.repeat(40)}`;

/** A quiet day on a long chain. The wallet has lost a token, and no log tells so. */
function nodeThat(keepsStateOf: ChainNode['keepsStateOf']): ChainNode {
  return {
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
    balance: async ({ name }, _, block) => (name === 'EURC' && block <= opening ? 7n : 0n),
    serves: async () => true,
    hasTimeFor: async () => true,
    endOfWindow: (_, high) => high,
    keepsStateOf,
  };
}

const custody: Pick<
  CustodyApi,
  'listTransactions' | 'listWallets' | 'listBalances' | 'listNfts' | 'getToken'
> = {
  listTransactions: async () => ({ transactions: [] }),
  listBalances: async () => ({ tokenBalances: [] }),
  listNfts: async () => ({ nfts: [] }),
  listWallets: async ({ pageAfter }) => ({
    wallets:
      pageAfter !== undefined
        ? []
        : [
            {
              id: 'w',
              address: wallet,
              blockchain: 'ARC-TESTNET',
              walletSetId: 's',
              accountType: 'EOA',
              custodyType: 'DEVELOPER',
              state: 'LIVE',
              createDate: '2026-01-01T00:00:00Z',
              updateDate: '2026-01-01T00:00:00Z',
            },
          ],
  }),
  getToken: async () => {
    throw new Error('Nothing was paid.');
  },
};

async function* none() {}

function closed(node: ChainNode) {
  const asked = { custody, node, blockchain: 'ARC-TESTNET', period, orders: none() };
  return closeDay({ ...asked, day: '2026-01-31', timeZone: 'UTC', closing });
}

describe('a close whose wallets hold less than their movements make', () => {
  it('names the difference where the node keeps both states', async () => {
    expect(await closed(nodeThat(async () => true))).toMatchObject({
      isBalanced: false,
      summary: expect.stringContaining('EURC that no movement explains'),
    });
  });

  it.each([
    ['closing', closing],
    ['opening', opening],
  ])('says that nothing was compared where it lacks the %s state', async (_, lacking) => {
    const { isBalanced, summary } = await closed(nodeThat(async (block) => block !== lacking));
    expect(isBalanced).toBe(false);
    expect(summary).toBe(
      '2026-01-31 is closed at block 600000, and a person has to look: no payments. Not looked ' +
        'at: balances, since the node of CHAIN_RPC_URL keeps no old states (give an archive node).',
    );
  });

  it('is not made while the node does not tell if it has a state', async () => {
    const silent = nodeThat(async (block) => {
      if (block === closing) throw new Error('Too many requests.');
      return true;
    });
    await expect(closed(silent)).rejects.toThrow('Too many requests.');
  });
});

/** A transaction of a stranger, whose contract logs that a wallet has lost many items. */
function manyItems(count: number): WholeBlock {
  const [contract, stranger, hash] = [`0x${'c'.repeat(40)}`, `0x${'b'.repeat(40)}`, toHex(1n)];
  const ids = Array.from({ length: count }, (_, id) => BigInt(id));
  const lists = parseAbiParameters('uint256[], uint256[]');
  const topic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
  const topics = [topic, ...[stranger, wallet, stranger].map((one) => pad(one as Hex))];
  const data = encodeAbiParameters(lists, [ids, ids.map(() => 1n)]);
  const own = { from: stranger, to: contract, type: '0x0', transactionIndex: '0x0' };
  const told = { ...own, hash, transactionHash: hash, input: '0x', nonce: '0x0', value: '0x0' };
  const gas = { gas: '0x1', gasPrice: '0x0', gasUsed: '0x1', effectiveGasPrice: '0x0' };
  const logs = [{ address: contract, topics, data, logIndex: '0x0' }];
  const raw = { ...told, ...gas, status: '0x1', logs } as never;
  const both = { transaction: formatTransaction(raw), receipt: formatTransactionReceipt(raw) };
  return { number: closing, timeMs: period.fromMs, transactions: [both] };
}

test('a close of a day on which a stranger logs very many items is small enough to keep', async () => {
  const quiet = nodeThat(async () => true);
  const asked = manyItems(11_000);
  const result = await closed({
    ...quiet,
    blocksWith: async () => [closing],
    blocks: async (numbers) => (numbers.includes(closing) ? [asked] : []),
    balance: async () => 0n,
  });
  expect(JSON.stringify(result).length).toBeLessThan(500_000);
  expect(result).toMatchObject({ isBalanced: true, counts: { 'false log': 11_000 }, sums: {} });
  expect(result.notLookedAt).toContain(
    'balances of 10500 more tokens and items that are not listed',
  );
});

test.each([
  ['Europe/Berlin', 25],
  ['Antarctica/Troll', 26],
])(
  'a close after the day on which clocks go back in %s looks at all of its %d hours',
  (timeZone, hours) => {
    const [before, closing] = ['2026-10-25', '2026-10-26'].map((day) =>
      periodOfDay({ day, timeZone }),
    );
    if (before === undefined || closing === undefined) throw new Error('There is no such day.');
    expect(before.untilMs - before.fromMs).toBe(hours * 3_600_000);
    expect(withEarlier(closing).fromMs).toBeLessThanOrEqual(before.fromMs);
  },
);
