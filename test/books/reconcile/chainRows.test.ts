import { pad, toHex } from 'viem';
import { openNode } from '../../../src/books/chain/node';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import { reconcile } from '../../../src/books/reconcile/reconcile';
import type { CustodyApi } from '../../../src/custody/endpoints';
import {
  lyingToken,
  moving,
  plainToken,
  startArchiveNode,
  startStrictNode,
} from '../../support/books/archiveNode';
import { eurc, usdc } from '../../support/sandbox';

const blockchain = 'ARC-TESTNET';
const period = { fromMs: 0, untilMs: 4_000_000_000_000 };
const wallet = '0x00000000000000000000000000000000000000a1';
const stranger = '0x00000000000000000000000000000000000000b2';
const token = '0x00000000000000000000000000000000000000c3';
const nothing = '0x5f5f5260205ff3';

let node: Awaited<ReturnType<typeof startArchiveNode>>;
beforeEach(async () => {
  node = await startArchiveNode();
  for (const address of [usdc, eurc] as const) {
    await node.client.setCode({ address, bytecode: nothing });
  }
  await node.client.mine({ blocks: 2 });
});
afterEach(() => node.stop());

/** An account with one wallet, whose tokens the service tells, and which has sent nothing. */
function accountWith(...tokens: readonly string[]) {
  const date = '2026-01-01T00:00:00Z';
  const dates = { createDate: date, updateDate: date };
  const custody: Pick<
    CustodyApi,
    'listTransactions' | 'listWallets' | 'listBalances' | 'listNfts' | 'getToken'
  > = {
    listTransactions: async () => ({ transactions: [] }),
    listWallets: async ({ pageAfter }) => {
      const about = { walletSetId: 's', custodyType: 'DEVELOPER', state: 'LIVE', blockchain };
      const one = { id: 'w', address: wallet, accountType: 'EOA', ...about, ...dates };
      return { wallets: pageAfter === undefined ? [one] : [] };
    },
    listBalances: async () => ({
      tokenBalances: tokens.map((tokenAddress) => {
        const own = { id: tokenAddress, blockchain, isNative: false, tokenAddress, ...dates };
        return { amount: '1', token: own, updateDate: date };
      }),
    }),
    listNfts: async () => ({ nfts: [] }),
    getToken: async () => {
      throw new Error('Nothing was paid.');
    },
  };
  return custody;
}

async function* none() {}

/** Has a stranger call the token. */
async function called(data: `0x${string}`): Promise<void> {
  const [account] = await node.client.getAddresses();
  if (account === undefined) throw new Error('There is no account.');
  await node.client.sendTransaction({ account, to: token, data });
  await node.client.mine({ blocks: 1 });
}

async function rowsOf(custody = accountWith(), url = node.rpcUrl) {
  const asked = { custody, node: openNode(url), blockchain, period, orders: none() };
  const found = reconcile(asked);
  const rows: ReconcileRow[] = [];
  for (let next = await found.next(); ; next = await found.next()) {
    if (next.done) return { rows, ...next.value };
    rows.push(next.value);
  }
}

describe('a token that no list has, on a node that keeps old balances', () => {
  it('is found where it has left a wallet without a record, with its balances', async () => {
    await node.client.setCode({ address: token, bytecode: plainToken });
    await called(moving(stranger, wallet, 100n));
    await called(moving(wallet, stranger, 77n));
    const { rows, balances, notLookedAt } = await rowsOf();
    const money = `base units of ${token}`;
    expect(rows.map((row) => [row.class, row.amount, row.token])).toEqual([
      ['unlisted inbound', '100', money],
      ['moved by somebody else', '77', money],
    ]);
    const own = balances.filter(({ token: name }) => name === money);
    const sums = { opening: '0', in: '100', out: '77', fees: '0', closing: '23' };
    expect(own).toEqual([{ token: money, wallet, ...sums }]);
    expect(notLookedAt).toEqual([]);
  });

  it('has left no wallet that had none of it, whatever its contract logs', async () => {
    await node.client.setCode({ address: token, bytecode: lyingToken });
    await called(moving(wallet, stranger, 5n));
    const { rows, notLookedAt, balances } = await rowsOf();
    expect(rows.map((row) => row.class)).toEqual(['false log']);
    expect(balances.flatMap(({ unexplained }) => unexplained ?? [])).toEqual([]);
    expect(notLookedAt).toEqual([
      `balances of base units of ${token}, which are not what the logs of their contracts make`,
    ]);
  });

  it('is a difference where a wallet has lost what it had, and no log tells so', async () => {
    await node.client.setCode({ address: token, bytecode: plainToken });
    await called(moving(stranger, wallet, 100n));
    const opening = Number(await node.client.getBlockNumber());
    const { timestamp } = await node.client.getBlock();
    await node.client.increaseTime({ seconds: 600 });
    await node.client.mine({ blocks: 1 });
    const place = { index: pad(wallet), value: pad(toHex(23n)) };
    await node.client.setStorageAt({ address: token, ...place });
    await node.client.mine({ blocks: 1 });
    const fromMs = Number(timestamp) * 1_000 + 1;
    const asked = { custody: accountWith(token), blockchain, orders: none() };
    const found = reconcile({
      ...asked,
      node: openNode(node.rpcUrl),
      period: { ...period, fromMs },
    });
    let next = await found.next();
    while (!next.done) next = await found.next();
    expect(next.value).toMatchObject({ opening, notLookedAt: [] });
    expect(next.value.balances).toContainEqual(
      expect.objectContaining({ opening: '100', closing: '23', unexplained: '-77' }),
    );
  });
});

describe('a node that tells logs of named contracts alone', () => {
  it('shows the tokens that a wallet holds, and says that it shows no others', async () => {
    const strict = await startStrictNode(node.rpcUrl, ({ method, params: [filter] = [] }) => {
      const isOfAll = method === 'eth_getLogs' && filter?.address === undefined;
      return isOfAll ? 'Please specify an address in your request' : undefined;
    });
    await node.client.setCode({ address: token, bytecode: plainToken });
    await called(moving(stranger, wallet, 100n));
    await called(moving(wallet, stranger, 77n));
    const words = expect.stringMatching(/^tokens that are not listed .* contracts that are named$/);
    const holding = await rowsOf(accountWith(token), strict.url);
    expect(holding.rows.map((row) => row.class)).toEqual([
      'unlisted inbound',
      'moved by somebody else',
    ]);
    expect(holding.notLookedAt).toEqual([words]);
    const other = await rowsOf(accountWith(), strict.url);
    expect([other.rows, other.notLookedAt]).toEqual([[], [words]]);
    strict.close();
  });
});
