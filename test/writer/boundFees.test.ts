import { createPublicClient, getAddress, type Hex, http, parseEther } from 'viem';
import { multicallFrom } from '../../src/custody/batch';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/objects/wallet';
import { deployCode, execute } from '../support/chain/foreignToken';
import { inSandbox, usdc } from '../support/sandbox';
import { transferData } from './attacks/contractAttacks';
import { callFrom, limitOf, payee, transferFrom, writerOf } from './writer';

let wallet: Wallet;
const sandbox = inSandbox();
beforeEach(async () => {
  wallet = await sandbox.usedWallet('EOA');
});

/** All that the wallet has on the chain: USDC pays for gas. */
async function balance(): Promise<bigint> {
  const chain = createPublicClient({ transport: http(sandbox.rpcUrl) });
  return chain.getBalance({ address: getAddress(wallet.address) });
}

/** Sends until the writer holds back, and returns what the wallet has lost by then, with its words. */
async function lossOf(
  fields: object,
  send: (api: Api) => Promise<{ id: string }>,
  custody = sandbox.client,
) {
  const { api } = writerOf(custody, [limitOf(wallet, fields)]);
  const before = await balance();
  const ids: string[] = [];
  let words = '';
  while (words === '' && ids.length < 100) {
    try {
      ids.push((await send(api)).id);
    } catch (error) {
      words = String(error);
    }
  }
  for (const id of ids) await sandbox.settled(id);
  return { lost: before - (await balance()), sent: ids.length, words };
}

type Api = ReturnType<typeof writerOf>['api'];

const small = { perWindow: { amount: '0.05', hours: 24, over: 'wallet' } };

/** A batch of many payments of one base unit. */
const manyPayments = (api: Api) => {
  const calls = Array.from({ length: 20 }, () => [usdc, false, transferData(payee, 1n)]);
  const { input, how } = callFrom(wallet, 'aggregate3((address,bool,bytes)[])', {
    contractAddress: multicallFrom,
    abiParameters: [calls],
    feeLevel: 'HIGH',
  });
  return api.executeContract(input, how);
};

const approve = (api: Api) => {
  const abiParameters = [payee, '1'];
  const { input, how } = callFrom(wallet, 'approve(address,uint256)', { abiParameters });
  return api.executeContract(input, how);
};
const calls = [{ contract: usdc, function: 'approve(address,uint256)' }];

describe('fees count in the window of the money that they are paid in', () => {
  it.each([
    ['of batches of the smallest payments', {}, manyPayments],
    [
      'of single payments',
      {},
      (api: Api) => {
        const { input, how } = transferFrom(wallet, '0.000001', { feeLevel: 'HIGH' });
        return api.createTransfer(input, how);
      },
    ],
    ['of calls that move no money, beside a token', { calls }, approve],
    [
      'that is counted for the whole rule',
      { perWindow: { ...small.perWindow, over: 'rule' } },
      manyPayments,
    ],
  ])('%s', async (_, fields, send) => {
    const { lost, sent, words } = await lossOf({ ...small, ...fields }, send);
    expect(words).toMatch(
      /window of the rule out is full: 0\.0\d+ of 0\.05 in 24 hours.*There is room for 0\.\d+, with its fee/,
    );
    expect(sent).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(0n);
    expect(lost).toBeLessThanOrEqual(parseEther('0.05'));
  });
});

describe('a rule without any window has a window for its fees', () => {
  /** Each call burns a lot of gas, by bytes that the named function takes. */
  const burning = (api: Api) => {
    const fields = { contractAddress: payee, abiParameters: [`0x${'ff'.repeat(60_000)}`] };
    const { input, how } = callFrom(wallet, 'keep(bytes)', { ...fields, feeLevel: 'HIGH' });
    return api.executeContract(input, how);
  };
  const named = [{ contract: payee, function: 'keep(bytes)' }];

  it('of ten coins a day, whatever it calls', async () => {
    const fields = {
      tokens: undefined,
      perTransfer: undefined,
      perWindow: undefined,
      calls: named,
    };
    const { lost, words } = await lossOf(fields, burning);
    expect(words).toMatch(/window of the rule out is full: \S+ of 10 for fees in 24 hours/);
    expect(lost).toBeGreaterThan(parseEther('0.1'));
    expect(lost).toBeLessThanOrEqual(parseEther('10'));
  });

  it('that its own number replaces', async () => {
    const fields = { perWindow: undefined, calls: named, maxFeePerWindow: '0.3' };
    const { lost, words } = await lossOf(fields, burning);
    expect(words).toMatch(/window of the rule out is full: \S+ of 0\.3 for fees in 24 hours/);
    expect(lost).toBeLessThanOrEqual(parseEther('0.3'));
  });
});

describe('a payee that turns costly after its estimate takes no more than was reserved', () => {
  /** Spends some 2.6 million gas, and stops. It begins five bytes before the given place. */
  const burning = (loop: string) => `5b620186a05b600190038060${loop}5700`;
  /** Does nothing with 0.000001 coins, and burns with any other value. */
  const byAmount = `64e8d4a510003414601a57${burning('10')}5b00`;
  /** Burns or does nothing, by a switch. A call with a single byte turns it. */
  const bySwitch = `36600114600d575f54601457005b5f54155f5500${burning('19')}`;
  let other: Wallet;
  let switched: Hex;
  let isTurned = false;
  beforeAll(async () => {
    other = await sandbox.usedWallet('EOA');
    switched = await deployCode(sandbox.client, other, bySwitch);
  });

  const turn = async (wanted: boolean): Promise<void> => {
    if (isTurned === wanted) return;
    isTurned = wanted;
    await sandbox.settled(await execute(sandbox.client, other, { to: switched, data: '0x01' }));
  };
  /** The service, where the switch is turned between a call's estimate and the call. */
  const turning = (): CustodyApi => ({
    ...sandbox.client,
    createTransfer: async (...call) => {
      await turn(true);
      return sandbox.client.createTransfer(...call);
    },
    executeContract: async (...call) => {
      await turn(true);
      return sandbox.client.executeContract(...call);
    },
  });
  const paying = (to: Hex, amount: string) => (api: Api) => {
    const fields = { tokenAddress: '', destinationAddress: to };
    const { input, how } = transferFrom(wallet, amount, fields);
    return api.createTransfer(input, how);
  };

  it('with another amount', async () => {
    const to = await deployCode(sandbox.client, other, byAmount);
    let sent = 0;
    const { lost, words } = await lossOf({ ...small, to }, (api) => {
      sent += 1;
      return paying(to, sent === 1 ? '0.000001' : '0.000002')(api);
    });
    expect(lost).toBeLessThanOrEqual(parseEther('0.05'));
    expect(words).toContain('There is room for');
    expect(sent).toBe(2);
  });

  it.each([
    ['a transfer of native coins', (to: Hex) => paying(to, '0.000001')],
    [
      'a call that a rule names',
      (contractAddress: Hex) => (api: Api) => {
        const { input, how } = callFrom(wallet, 'run()', { contractAddress });
        return api.executeContract(input, how);
      },
    ],
  ])('by a switch, for %s', async (_, sending) => {
    await turn(false);
    const named = [{ contract: switched, function: 'run()' }];
    const fields = { ...small, to: switched, calls: named };
    const { lost, words } = await lossOf(fields, sending(switched), turning());
    expect(lost).toBeLessThanOrEqual(parseEther('0.05'));
    expect(words).toContain('155233');
  });
});

it('a call that is sent again has the gas of its first attempt, whatever it says itself', async () => {
  const gas: (string | undefined)[] = [];
  const executeContract: CustodyApi['executeContract'] = (input, how) => {
    gas.push(input.gasLimit);
    return sandbox.client.executeContract(input, how);
  };
  const custody = { ...sandbox.client, executeContract };
  const { api } = writerOf(custody, [limitOf(wallet, { ...small, calls })]);
  const abiParameters = [payee, '1'];
  const fields = { abiParameters, gasLimit: '100000' };
  const { input, how } = callFrom(wallet, 'approve(address,uint256)', fields);
  await api.executeContract(input, how);
  await api.executeContract({ ...input, gasLimit: '900000' }, how);
  expect(gas).toEqual(['100000', '100000']);
});

it('a transfer of native coins has the gas that was reserved for it in each attempt', async () => {
  const gas: (string | undefined)[] = [];
  const createTransfer: CustodyApi['createTransfer'] = (input, how) => {
    gas.push(input.gasLimit);
    return sandbox.client.createTransfer(input, how);
  };
  const { api } = writerOf({ ...sandbox.client, createTransfer }, [limitOf(wallet)]);
  const { input, how } = transferFrom(wallet, '0.5', { tokenAddress: '' });
  const { id } = await api.createTransfer(input, how);
  expect(await api.createTransfer({ ...input, gasLimit: '900000' }, how)).toMatchObject({ id });
  const { idempotencyKey: _, refId: __, feeLevel: ___, walletAddress, ...call } = input;
  const { medium } = await sandbox.client.estimateTransfer({
    ...call,
    sourceAddress: walletAddress,
  });
  expect(gas).toEqual([medium.gasLimit, medium.gasLimit]);
});
