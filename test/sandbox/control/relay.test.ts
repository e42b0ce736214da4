import { getAddress, parseEther, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { blockchain, inSandbox } from '../../support/sandbox';
import { someone } from '../../support/stages';

const payer = privateKeyToAccount(generatePrivateKey());
const sandbox = inSandbox();

type Asked = [method: string, ...params: unknown[]];
const callOf = ([method, ...params]: Asked, id = 1) => ({ jsonrpc: '2.0', id, method, params });

async function post(body: unknown) {
  const { status, body: told } = await sandbox.request('POST', sandbox.rpcUrl, { body });
  expect(status).toBe(200);
  return told;
}

const ask = (...asked: Asked) => post(callOf(asked));
const nonceOf = (address: string) => ask('eth_getTransactionCount', address, 'pending');
const refusal = (code: number, message: unknown) =>
  expect.objectContaining({ error: expect.objectContaining({ code, message }) });

describe('the chain answers as the nodes of Arc do', () => {
  it('counts what waits for a block, however the address is written', async () => {
    const money = { address: payer.address, blockchain, native: true };
    await sandbox.client.requestDrip(money);
    const url = `${sandbox.origin}/_sandbox/settings`;
    const set = (blockMs: number) => sandbox.request('PATCH', url, { body: { blockMs } });
    await set(86_400_000);
    const raw = await payer.signTransaction({
      type: 'eip1559',
      chainId: 5_042_002,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: parseGwei('30'),
      to: getAddress(someone()),
      value: parseEther('1'),
    });
    expect(await ask('eth_sendRawTransaction', raw)).toHaveProperty('result');
    const mixed = await nonceOf(payer.address);
    const lower = await nonceOf(payer.address.toLowerCase());
    await set(0);
    expect(mixed).toMatchObject({ result: '0x1' });
    expect(lower).toMatchObject({ result: '0x1' });
  });

  it.each(['0x1234', 'me', `0x${'g'.repeat(40)}`])('calls %s no address', async (address) => {
    expect(await nonceOf(address)).toEqual(refusal(-32_602, expect.any(String)));
  });

  it('shows no pending block, alone and in a batch', async () => {
    const pending: Asked = ['eth_getBlockByNumber', 'pending', true];
    expect(await ask(...pending)).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    expect(await post([callOf(pending, 1), callOf(['eth_chainId'], 2)])).toEqual([
      { jsonrpc: '2.0', id: 1, result: null },
      { jsonrpc: '2.0', id: 2, result: '0x4cef52' },
    ]);
  });

  it('has no filter for what is pending', async () => {
    const words = 'Pending transaction filters are not allowed';
    expect(await ask('eth_newPendingTransactionFilter')).toEqual(refusal(-32_001, words));
  });

  it('takes a hundred calls in one request, and no more', async () => {
    const calls = Array.from({ length: 101 }, (_, id) => callOf(['eth_chainId'], id));
    expect(await post(calls.slice(1))).toHaveLength(100);
    const words = 'batch size 101 exceeds limit of 100';
    expect(await post(calls)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: words },
    });
  });
});
