import { concat, type Hex, pad } from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployCode, execute, foreignToken } from '../../../support/chain/foreignToken';
import {
  createFundedWallet,
  holdings,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../../support/sandbox';

let sandbox: TestSandbox;
let client: TestSandbox['client'];
let from: Wallet;
let to: Wallet;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  client = sandbox.client;
  [from, to] = await Promise.all([
    createFundedWallet(client, 'EOA'),
    createFundedWallet(client, 'EOA'),
  ]);
});
afterAll(() => sandbox.stop());

/** Lets a contract say that a wallet has received one base unit of it. */
async function emitTransfer(token: Hex): Promise<void> {
  const data = concat(['0x11111111', pad(to.address as Hex)]);
  const record = await settled(client, await execute(client, from, { to: token, data }));
  expect(record.state).toBe('COMPLETE');
}

async function arrivals(token: Hex): Promise<string[]> {
  const { transactions } = await client.listTransactions({ walletIds: to.id, txType: 'INBOUND' });
  const ids = transactions.flatMap(({ tokenId }) => tokenId ?? []);
  const tokens = await Promise.all(ids.map((id) => client.getToken({ id })));
  return tokens
    .map(({ token: { tokenAddress } }) => tokenAddress ?? '')
    .filter((address) => address === token.toLowerCase());
}

describe('a contract that emits what a token does', () => {
  it.each([256n, 2n ** 40n, 2n ** 256n - 1n])(
    'is no token with %s decimals, and holds nobody up',
    async (decimals) => {
      const token = await deployCode(client, from, foreignToken(decimals));
      await emitTransfer(token);
      const { id } = await client.createTransfer(transferOf(to, from.address));
      expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
      expect(await arrivals(token)).toEqual([]);
    },
  );

  it.each([0n, 255n])('is one with %s, and holds nobody up', async (decimals) => {
    const token = await deployCode(client, from, foreignToken(decimals));
    await emitTransfer(token);
    const { id } = await client.createTransfer(transferOf(to, from.address));
    expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
    expect(await arrivals(token)).toHaveLength(1);
  });

  it('is held by nobody where it answers for no balance, and hides no other token', async () => {
    const token = await deployCode(client, from, foreignToken(7n));
    await emitTransfer(token);
    expect(await arrivals(token)).toHaveLength(1);
    expect(Object.keys(await holdings(client, to.id)).sort()).toEqual(['EURC', 'USDC', 'native']);
  });
});
