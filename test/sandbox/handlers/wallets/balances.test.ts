import { zeroAddress } from 'viem';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployToken } from '../../../support/chain/deployments';
import { newFolder, setUp } from '../../../support/jest/setUp';
import { inSandbox, transferOf } from '../../../support/sandbox';

const secrets = { apiKey: 'TEST_API_KEY:balances:secret', entitySecret: 'ba1a'.repeat(16) };

const sandbox = inSandbox({ dataDir: newFolder(), ...secrets });
const sender = setUp(() => sandbox.fundedWallet());
const receiver = setUp(() => sandbox.wallet());
const coins: string[] = [];
beforeAll(async () => {
  for (const symbol of ['ONE', 'TWO']) {
    const { address } = await deployToken(sandbox.client, sender, { symbol });
    await mint(address, sender);
    coins.push(address);
  }
});

describe('the balances of a wallet', () => {
  it('have every coin that it has received, in the order in which they came', async () => {
    const [one = '', two = ''] = coins;
    await send(two);
    await send(one);
    await send(two);
    expect(await heldBy(receiver)).toEqual({ TWO: '2', ONE: '1' });
    expect(Object.keys(await heldBy(receiver))).toEqual(['TWO', 'ONE']);
  });

  it('have the same coins when the sandbox has been started again', async () => {
    const before = await sandbox.client.listBalances({ id: sender.id });
    await sandbox.restart();
    const { tokenBalances } = await sandbox.client.listBalances({ id: sender.id });
    const facts = ({ amount, token }: (typeof tokenBalances)[number]) => ({ amount, token });
    expect(tokenBalances.map(facts)).toEqual(before.tokenBalances.map(facts));
    expect(tokenBalances.map(({ token }) => token.symbol)).toEqual([
      'USDC',
      'USDC',
      'EURC',
      'ONE',
      'TWO',
    ]);
  });

  it('are read without the tokens that only others have received', async () => {
    const other = await sandbox.wallet();
    const { address } = await deployToken(sandbox.client, sender, { symbol: 'GONE' });
    await mint(address, sender);
    // A contract that is no more answers nothing: asking it is a fault.
    await sandbox.chain.ask([{ method: 'anvil_setCode', params: [address, '0x'] }]);
    expect(await heldBy(other)).toEqual({});
    expect(await heldBy(receiver)).toEqual({ TWO: '2', ONE: '1' });
  });

  it('have nothing of a coin that is asked for and was never received', async () => {
    const other = await sandbox.wallet();
    const asked = { id: other.id, tokenAddress: `${coins.join(',')},${zeroAddress}` };
    expect(await sandbox.client.listBalances(asked)).toEqual({ tokenBalances: [] });
  });
});

async function mint(contractAddress: string, to: Wallet): Promise<void> {
  expect(
    await sandbox.call(sender, {
      to: contractAddress,
      signature: 'mintTo(address,uint256)',
      parameters: [to.address, '3000000000000000000'],
    }),
  ).toMatchObject({ state: 'COMPLETE' });
}

async function send(tokenAddress: string): Promise<void> {
  const order = transferOf(sender, receiver.address, { tokenAddress });
  const { id } = await sandbox.client.createTransfer(order);
  expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
}

async function heldBy({ id }: Wallet): Promise<Record<string, string>> {
  const { tokenBalances } = await sandbox.client.listBalances({ id });
  return Object.fromEntries(tokenBalances.map(({ token, amount }) => [token.symbol, amount]));
}
