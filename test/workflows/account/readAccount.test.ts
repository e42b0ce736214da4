import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import {
  nativeBalance,
  recipient,
  scriptedCustody,
  sender,
  treasury,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const twin = '0x3600000000000000000000000000000000000000';
const coin = nativeBalance('5.000000000000000001');
const usdc = { ...coin.token, id: sender.id, isNative: false, symbol: 'USDC', tokenAddress: twin };
const balances = [coin, { ...coin, amount: '5', token: usdc }];

async function asking(script: Parameters<typeof scriptedCustody>[0] = {}) {
  const custody = scriptedCustody({
    listWalletsWithBalances: ({ pageAfter }) => {
      if (pageAfter !== undefined) return { wallets: [] };
      const { id, address } = sender;
      const own = {
        id,
        address,
        state: 'LIVE',
        walletSetId: treasury.id,
        custodyType: 'DEVELOPER',
      };
      const dates = { createDate: coin.updateDate, updateDate: coin.updateDate };
      const more = { blockchain: 'ARC-TESTNET', accountType: 'EOA', name: 'till', ...dates };
      return { wallets: [{ ...own, ...more, tokenBalances: balances }] };
    },
    getEntityConfig: () => ({ appId: 'account-1' }),
    listSubscriptions: () => [],
    ...script,
  });
  const { client, taskQueue } = await serve(custody);
  const ask = (asked: unknown): Promise<unknown> =>
    client.workflow.execute('readAccount', {
      workflowId: `account:${randomUUID()}`,
      taskQueue,
      args: [asked],
    });
  return { custody, ask };
}

describe('readAccount', () => {
  it('lists wallets with their balances, the two faces of a coin as one', async () => {
    const { ask } = await asking();
    expect(await ask({ about: 'wallets' })).toEqual({
      blockchain: 'ARC-TESTNET',
      left: 0,
      wallets: [
        {
          id: sender.id,
          name: 'till',
          address: sender.address,
          accountType: 'EOA',
          state: 'LIVE',
          held: [['5', 'USDC, and native: one coin']],
        },
      ],
    });
  });

  it('tells what a worker reaches, and that it has no node', async () => {
    const { ask } = await asking();
    const found = await ask({ about: 'service' });
    expect(found).toContainEqual({
      name: 'Service',
      state: 'fine',
      words: 'scripted answers for the account account-1, on ARC-TESTNET',
    });
    expect(found).toContainEqual(expect.objectContaining({ name: 'Chain', state: 'skipped' }));
  });

  it('tells that a writer has no policy', async () => {
    const { ask } = await asking();
    expect(await ask({ about: 'policy' })).toBeNull();
  });

  it('ends at once, with the words of the service, where it refuses', async () => {
    const refused = new RefusedError('401: key not found', { status: 401, code: 401 });
    const { ask, custody } = await asking({ listWalletSets: () => refused });
    await expect(ask({ about: 'wallets' })).rejects.toMatchObject({
      cause: { type: 'Refused', message: expect.stringContaining('key not found') },
    });
    expect(custody.calls('listWalletSets')).toHaveLength(1);
  });

  const statement = { about: 'statement', wallet: sender.id, from: '2026-11-27', to: '2026-11-27' };
  it.each([
    ['without a node', statement, 'CHAIN_RPC_URL: is not set for the workers'],
    ['of no wallet', { ...statement, wallet: recipient }, 'must be the id of a wallet'],
    ['of too many days', { ...statement, from: '2020-01-01' }, 'less than 92 days'],
  ])('refuses a statement %s', async (_, asked, words) => {
    const { ask } = await asking();
    await expect(ask(asked)).rejects.toMatchObject({
      cause: { type: 'Refused', message: expect.stringContaining(words) },
    });
  });

  it('writes nothing, whatever a stranger asks', async () => {
    const { ask, custody } = await asking();
    for (const asked of [undefined, null, 7, { about: 'createTransfer' }, { about: '__proto__' }]) {
      await ask(asked);
    }
    const reads = ['getEntityConfig', 'listTransactions', 'listSubscriptions'];
    expect(custody.seen.filter(({ name }) => !reads.includes(name))).toEqual([]);
  });
});
