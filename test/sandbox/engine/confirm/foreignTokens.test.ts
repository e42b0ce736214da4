import { concat, type Hex, pad } from 'viem';
import { deployCode, execute, foreignToken } from '../../../support/chain/foreignToken';
import { setUp } from '../../../support/jest/setUp';
import { inSandbox } from '../../../support/sandbox';

const sandbox = inSandbox();
const client = setUp(async () => sandbox.client);
const from = setUp(() => sandbox.fundedWallet('EOA'));
const to = setUp(() => sandbox.fundedWallet('EOA'));

/** Lets a contract say that a wallet has received one base unit of it. */
async function emitTransfer(token: Hex): Promise<void> {
  const data = concat(['0x11111111', pad(to.address as Hex)]);
  const record = await sandbox.settled(await execute(client, from, { to: token, data }));
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
      expect(await sandbox.pay(to, from.address)).toMatchObject({ state: 'COMPLETE' });
      expect(await arrivals(token)).toEqual([]);
    },
  );

  it.each([0n, 255n])('is one with %s, and holds nobody up', async (decimals) => {
    const token = await deployCode(client, from, foreignToken(decimals));
    await emitTransfer(token);
    expect(await sandbox.pay(to, from.address)).toMatchObject({ state: 'COMPLETE' });
    expect(await arrivals(token)).toHaveLength(1);
  });

  it('is held by nobody where it answers for no balance, and hides no other token', async () => {
    const token = await deployCode(client, from, foreignToken(7n));
    await emitTransfer(token);
    expect(await arrivals(token)).toHaveLength(1);
    expect(Object.keys(await sandbox.holdings(to.id)).sort()).toEqual(['EURC', 'USDC', 'native']);
  });
});
