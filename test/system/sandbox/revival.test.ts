import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http } from 'viem';
import { untilRest } from '../../support/chain/outside';
import { eurc, inSandbox, transferOf } from '../../support/sandbox';

const sandbox = inSandbox();
beforeEach(() => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a sandbox whose node is killed', () => {
  it('makes every transfer once, refuses no call, and skips no nonce', async () => {
    const { client, chain } = sandbox;
    const eoa = await sandbox.fundedWallet('EOA');
    const sca = await sandbox.fundedWallet('SCA');
    const to = await sandbox.wallet();
    const amounts: string[] = [];
    const ids: string[] = [];
    const pay = async (from: typeof eoa): Promise<string> => {
      const amount = `0.${String(amounts.length + 1).padStart(2, '0')}`;
      const order = transferOf(from, to.address, { tokenAddress: eurc, amounts: [amount] });
      amounts.push(amount);
      const { id } = await client.createTransfer(order);
      ids.push(id);
      return id;
    };
    // The first transaction of a smart account has to settle before the next one (code 155505).
    await sandbox.settled(await pay(sca));
    for (let kill = 0; kill < 8; kill++) {
      for (const from of [eoa, eoa, sca]) await pay(from);
      // A new moment in each round: before the transfer is signed, sent, mined or read.
      await sleep(kill * 15);
      process.kill(-chain.pid(), 'SIGKILL');
    }
    const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(ids.map(() => 'COMPLETE'));
    const transfers = await sandbox.transfers({ to: to.address });
    const values = transfers.map(({ value }) => Number(value) / 1e6);
    expect(values.sort((a, b) => a - b)).toEqual(amounts.map(Number));
    expect(await chain.client.getTransactionCount({ address: eoa.address as `0x${string}` })).toBe(
      16,
    );
  });

  it('answers a faucet request that was in flight, and then a read of the money', async () => {
    const { client, chain } = sandbox;
    const wallet = await sandbox.wallet();
    if (wallet === undefined) throw new Error('No wallet was created.');
    const drip = client.requestDrip({
      address: wallet.address,
      blockchain: wallet.blockchain,
      eurc: true,
    });
    process.kill(-chain.pid(), 'SIGKILL');
    await drip;
    process.kill(-chain.pid(), 'SIGKILL');
    expect(await sandbox.holdings(wallet.id)).toEqual({ EURC: '20' });
  });
});

describe('the address for reads of the chain', () => {
  it('stays the same, and waits while the node is replaced', async () => {
    const reader = createPublicClient({ transport: http(sandbox.rpcUrl, { retryCount: 0 }) });
    await untilRest(sandbox);
    const before = await reader.getBlock();
    process.kill(-sandbox.chain.pid(), 'SIGKILL');
    expect(await reader.getBlock()).toEqual(before);
  });

  it.each([
    [
      { jsonrpc: '2.0', id: 7, method: 'evm_mine', params: [] },
      { id: 7, error: { code: -32601 } },
    ],
    [{ jsonrpc: '2.0', id: 8, method: 'eth_sendTransaction' }, { error: { code: -32601 } }],
    [[{ jsonrpc: '2.0', id: 9, method: 'anvil_reset' }], [{ error: { code: -32601 } }]],
    [{ what: 'is this' }, { error: { code: -32600 } }],
  ])('refuses a call that is not a read: %j', async (body, answer) => {
    const given = await sandbox.request('POST', sandbox.rpcUrl, { headers: {}, body });
    expect(given).toMatchObject({ status: 200, body: answer });
  });
});
