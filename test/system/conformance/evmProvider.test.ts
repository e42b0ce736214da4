import { createEIP1193Provider } from '@circle-fin/developer-controlled-wallets/evm';
import { type EIP1193Provider, getAddress, parseEther, toHex, verifyTypedData } from 'viem';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { inSandbox, usdc } from '../../support/sandbox';
import { readChain } from './chain';

/** The vendor's provider connects libraries such as viem with a wallet of the service. */
describe("the vendor's EVM provider", () => {
  let wallet: Wallet;
  let request: EIP1193Provider['request'];
  const sandbox = inSandbox({ states: 'hosted' });
  beforeAll(async () => {
    const options = { baseUrl: sandbox.origin, ...sandbox.secrets, txPollingInterval: 20 };
    const provider = createEIP1193Provider({ ...options, chain: 'ARC-TESTNET' });
    request = provider.request.bind(provider) as EIP1193Provider['request'];
    wallet = await sandbox.fundedWallet('EOA');
  });

  it('signs typed data', async () => {
    const address = getAddress(wallet.address);
    const types = {
      EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
      Permit: [{ name: 'spender', type: 'address' }],
    } as const;
    const message = { spender: usdc } as const;
    const data = { types, primaryType: 'Permit', domain: { chainId: 5042002 }, message } as const;
    const signature = await request({
      method: 'eth_signTypedData_v4',
      params: [address, JSON.stringify(data)],
    });
    const domain = { chainId: 5042002n };
    expect(await verifyTypedData({ ...data, domain, address, signature })).toBe(true);
  });

  it('sends the native coin', async () => {
    const receiver = await sandbox.wallet();
    const [from, to] = [getAddress(wallet.address), getAddress(receiver.address)];
    const value = parseEther('0.5');
    await request({ method: 'eth_sendTransaction', params: [{ from, to, value: toHex(value) }] });
    const { native } = readChain(sandbox.rpcUrl);
    const deadline = Date.now() + 100_000;
    while ((await native(to)) === 0n && Date.now() < deadline)
      await new Promise((r) => setTimeout(r, 20));
    expect(await native(to)).toBe(value);
  });
});
