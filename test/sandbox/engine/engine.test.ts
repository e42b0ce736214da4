import { setTimeout as sleep } from 'node:timers/promises';
import { HttpRequestError } from 'viem';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { setUp } from '../../support/jest/setUp';
import { blockchain, eurc, inSandbox, transferOf } from '../../support/sandbox';

/** A transfer of this coin needs an estimate. */
const native = { tokenAddress: '' };
const hourMs = 3_600_000;
const cut = () => new HttpRequestError({ url: 'http://127.0.0.1', details: 'socket hang up' });

let said: jest.SpyInstance;
const sandbox = inSandbox();
const client = setUp(async () => sandbox.client);
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
beforeEach(() => {
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a transfer whose money has moved', () => {
  it('is COMPLETE, though no receipt can be read afterwards', async () => {
    jest.spyOn(sandbox.chain.client, 'getTransactionReceipt').mockRejectedValue(cut());
    expect(await send(eoa)).toMatchObject({ state: 'COMPLETE' });
  });

  it('is COMPLETE, though the block was mined without an answer, and a read failed', async () => {
    const { mineBlock } = sandbox.chain;
    jest.spyOn(sandbox.chain, 'mineBlock').mockImplementationOnce(async (block) => {
      await mineBlock(block);
      throw cut();
    });
    jest.spyOn(sandbox.chain.client, 'getTransactionReceipt').mockRejectedValueOnce(cut());
    expect(await send(eoa)).toMatchObject({ state: 'COMPLETE' });
    expect(spoken()).toMatch(/socket hang up/);
  });
});

describe('a transfer that is accepted while it is not known what is mined', () => {
  it('is not refused for what has left the wallet already', async () => {
    const from = await sandbox.fundedWallet('EOA');
    const order = (amount: string) =>
      transferOf(from, sca.address, { ...native, amounts: [amount] });
    const { mineBlock, client: reader } = sandbox.chain;
    const { getBlock } = reader;
    let later = '';
    jest.spyOn(sandbox.chain, 'mineBlock').mockImplementationOnce(async (block) => {
      await mineBlock(block);
      later = (await sandbox.api.createTransfer(order('7'))).id;
      // For longer than until the next attempt, when the transfer is due.
      const failsUntilMs = Date.now() + 1_500;
      jest
        .spyOn(reader, 'getBlock')
        .mockImplementation(((options) =>
          Date.now() < failsUntilMs
            ? Promise.reject(cut())
            : getBlock(options)) as typeof getBlock);
      throw cut();
    });
    const { id } = await client.createTransfer(order('12'));
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
    expect(await sandbox.settled(later)).toMatchObject({ state: 'COMPLETE' });
  });
});

describe('a block that could not be mined', () => {
  it('is mined with the next attempt, before anything that came after it', async () => {
    jest
      .spyOn(sandbox.chain, 'mineBlock')
      .mockRejectedValueOnce(cut())
      .mockRejectedValueOnce(cut());
    const [first, second] = await Promise.all([send(eoa), send(sca)]);
    expect([first.state, second.state]).toEqual(['COMPLETE', 'COMPLETE']);
  });

  it('keeps a drip waiting until it is mined, and not longer', async () => {
    jest.spyOn(sandbox.chain, 'mineBlock').mockRejectedValueOnce(cut());
    const wallet = await sandbox.wallet();
    await client.requestDrip({ address: wallet.address, blockchain, eurc: true });
    expect(await sandbox.holdings(wallet.id)).toEqual({ EURC: '20' });
  });

  it('keeps a drip waiting until it is read, and not longer', async () => {
    const { mineBlock } = sandbox.chain;
    jest.spyOn(sandbox.chain, 'mineBlock').mockImplementationOnce(async (block) => {
      await mineBlock(block);
      throw cut();
    });
    const wallet = await sandbox.wallet();
    await client.requestDrip({ address: wallet.address, blockchain, eurc: true });
    expect(await sandbox.holdings(wallet.id)).toEqual({ EURC: '20' });
  });
});

describe('a wallet that nobody can sign for', () => {
  it('holds up no other, and is said on standard error until it goes on', async () => {
    const poisoned = await sandbox.fundedWallet('EOA');
    const reads = failNonceOf(poisoned.address);
    const { id } = await client.createTransfer(orderOf(poisoned));
    const [one, other] = await Promise.all([send(eoa), send(sca)]);
    const { transaction } = await client.getTransaction({ id });
    expect([one.state, other.state]).toEqual(['COMPLETE', 'COMPLETE']);
    expect(transaction.state).toBe('PENDING');
    expect(spoken()).toMatch(new RegExp(`${poisoned.id}[^]*socket hang up`));
    reads.mockRestore();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  });

  it('sends what comes before the fault, and the rest in its order once it is over', async () => {
    const from = await sandbox.fundedWallet('EOA');
    const { ask } = sandbox.chain;
    let looks = 0;
    const reads = jest.spyOn(sandbox.chain, 'ask').mockImplementation((calls) => {
      looks += 1;
      return looks === 2 ? Promise.reject(cut()) : ask(calls);
    });
    const accepted = [];
    for (const _turn of [1, 2, 3]) {
      accepted.push(await sandbox.api.createTransfer(orderOf(from, native)));
    }
    const records = await Promise.all(accepted.map(({ id }) => sandbox.settled(id)));
    reads.mockRestore();
    expect(records.map(({ state }) => state)).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE']);
    const blocks = records.map(({ blockHeight = 0 }) => blockHeight);
    expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
  });
});

describe('a clock that is set back', () => {
  const set = (settings: object) =>
    sandbox.request('PATCH', '/_sandbox/settings', { body: settings });
  const { now } = Date;
  const setAhead = () => jest.spyOn(Date, 'now').mockImplementation(() => now() + hourMs);
  afterEach(() => set({ settleMs: 0, blockMs: 0 }));

  it.each(['SCA', 'EOA'])('does not hold up what an %s sends from then on', async (type) => {
    const ahead = setAhead();
    const from = type === 'SCA' ? sca : eoa;
    expect(await send(from)).toMatchObject({ state: 'COMPLETE' });
    ahead.mockRestore();
    expect(await send(from)).toMatchObject({ state: 'COMPLETE' });
  });

  it.each(['SCA', 'EOA'])('does not hold up what an %s has sent until then', async (type) => {
    await set({ settleMs: 3_000 });
    const ahead = setAhead();
    const { id } = await client.createTransfer(orderOf(type === 'SCA' ? sca : eoa));
    ahead.mockRestore();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  });

  it('does not hold up what was signed until then', async () => {
    await set({ blockMs: hourMs });
    const ahead = setAhead();
    const { id } = await client.createTransfer(orderOf(eoa));
    const read = async () => (await client.getTransaction({ id })).transaction;
    while ((await read()).txHash === undefined) await sleep(20);
    ahead.mockRestore();
    await set({ blockMs: 200 });
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  });
});

describe('an estimate that the node could not make', () => {
  it.each(['SCA', 'EOA'])('is made again for an %s, and fails no transaction', async (type) => {
    const answer = globalThis.fetch;
    let faults = 0;
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await answer(...request);
      if (faults > 0 || !String(request[1]?.body).includes('eth_estimateGas')) return response;
      faults += 1;
      const [balance, { id }] = (await response.json()) as [object, { id: number }];
      const error = { code: -32_603, message: 'Internal error: too many open files' };
      return Response.json([balance, { jsonrpc: '2.0', id, error }]);
    });
    expect(await send(type === 'SCA' ? sca : eoa, native)).toMatchObject({ state: 'COMPLETE' });
    expect(spoken()).toMatch(/too many open files/);
  });
});

describe('a bundler that cannot sign', () => {
  it('holds up smart accounts alone, while all else is mined and settles', async () => {
    const reads = failNonceOf(sandbox.chain.operators.bundler.address);
    const { id } = await client.createTransfer(orderOf(sca));
    expect(await send(eoa)).toMatchObject({ state: 'COMPLETE' });
    const wallet = await sandbox.wallet();
    await client.requestDrip({ address: wallet.address, blockchain, eurc: true });
    expect((await client.getTransaction({ id })).transaction.state).toBe('PENDING');
    reads.mockRestore();
    expect(await sandbox.settled(id)).toMatchObject({ state: 'COMPLETE' });
  });
});

/** Reading how many transactions an account has made fails, until it is restored. */
function failNonceOf(address: string) {
  const { getTransactionCount } = sandbox.chain.client;
  return jest.spyOn(sandbox.chain.client, 'getTransactionCount').mockImplementation((options) => {
    return isSame(options.address, address) ? Promise.reject(cut()) : getTransactionCount(options);
  });
}

function isSame(address: string, other: string): boolean {
  return address.toLowerCase() === other.toLowerCase();
}

function orderOf(from: Wallet, fields: object = {}) {
  const other = from.id === sca.id ? eoa : sca;
  return transferOf(from, other.address, { tokenAddress: eurc, amounts: ['0.01'], ...fields });
}

async function send(from: Wallet, fields: object = {}): Promise<Transaction> {
  return sandbox.settled((await client.createTransfer(orderOf(from, fields))).id);
}

function spoken(): string {
  return said.mock.calls.map(([text]) => String(text)).join('');
}
