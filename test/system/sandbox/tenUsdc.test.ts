import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPublicClient,
  erc20Abi,
  getAddress,
  http,
  type PublicClient,
  parseEther,
} from 'viem';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { untilRest } from '../../support/chain/outside';
import {
  blockchain,
  createWallets,
  holdings,
  settled,
  transferOf,
  usdc,
} from '../../support/sandbox';
import { type MortalSandbox, startMortalSandbox } from '../../support/service/mortalSandbox';
import { neverMs } from '../../support/stages';

/** Native units in a base unit of USDC. */
const unitsEach = 10n ** 12n;
const ten = parseEther('10');

let dataDir: string;
let sandbox: MortalSandbox;
let chain: PublicClient;
let treasury: Wallet;
const everybody: Wallet[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-ten-'));
  const env = { SANDBOX_STATES: 'hosted', SANDBOX_SETTLE_MS: '200' };
  sandbox = await startMortalSandbox(dataDir, env);
  await sandbox.ready();
  chain = createPublicClient({ transport: http(sandbox.rpcUrl), cacheTime: 0 });
  treasury = await newWallet();
  const { address } = treasury;
  for (let drip = 0; drip < 4; drip++) {
    await sandbox.client.requestDrip({ address, blockchain, usdc: true });
  }
});
afterAll(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

async function newWallet(): Promise<Wallet> {
  const [wallet] = await createWallets(sandbox.client, { accountType: 'EOA' });
  if (wallet === undefined) throw new Error('No wallet was created.');
  everybody.push(wallet);
  return wallet;
}

async function set(settings: object): Promise<void> {
  const { status } = await fetch(new URL('/_sandbox/settings', sandbox.rpcUrl), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (status !== 200) throw new Error(`The settings were answered with ${status}.`);
}

/** A wallet that somebody has paid exactly 10 USDC. */
async function paidTen(): Promise<Wallet> {
  const wallet = await newWallet();
  expect(await send(treasury, wallet, byCoin('10'))).toMatchObject({ state: 'COMPLETE' });
  return wallet;
}

const byCoin = (amount: string) => ({ tokenAddress: usdc, amounts: [amount] });
const byValue = (amount: string) => ({ tokenAddress: '', amounts: [amount] });

async function accepted(from: Wallet, to: Wallet, fields: object): Promise<string> {
  return (await sandbox.client.createTransfer(transferOf(from, to.address, fields))).id;
}

async function send(from: Wallet, to: Wallet, fields: object): Promise<Transaction> {
  return settled(sandbox.client, await accepted(from, to, fields));
}

/** Sends payments so that one block has all of them. */
async function sendInOneBlock(from: Wallet, to: Wallet, all: object[]): Promise<Transaction[]> {
  await set({ settleMs: 0, blockMs: neverMs });
  const ids: string[] = [];
  for (const fields of all) ids.push(await accepted(from, to, fields));
  for (const id of ids) await settled(sandbox.client, id, 'SENT');
  await set({ settleMs: 200, blockMs: 0 });
  return Promise.all(ids.map((id) => settled(sandbox.client, id)));
}

/** Sends each payment once the one before has settled. */
async function sendInTurn(from: Wallet, to: Wallet, all: object[]): Promise<Transaction[]> {
  const records: Transaction[] = [];
  for (const fields of all) records.push(await send(from, to, fields));
  return records;
}

const native = (address: string) => chain.getBalance({ address: getAddress(address) });

/** Both faces show so many native units: at the service, and on the chain. */
async function expectBoth({ id, address }: Wallet, units: bigint): Promise<void> {
  const args = [getAddress(address)] as const;
  const call = { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args } as const;
  expect(await native(address)).toBe(units);
  expect(await chain.readContract(call)).toBe(units / unitsEach);
  const { native: coins = '0', USDC = '0' } = await holdings(sandbox.client, id);
  expect(parseEther(coins)).toBe(units);
  expect(parseEther(USDC)).toBe(units - (units % unitsEach));
}

/** The fee of a record, which is that of its receipt on the chain. */
async function feeOf({ txHash = '', networkFee = '' }: Transaction): Promise<bigint> {
  const receipt = await chain.getTransactionReceipt({ hash: `0x${txHash.slice(2)}` });
  expect(receipt.status).toBe('success');
  expect(parseEther(networkFee)).toBe(receipt.gasUsed * receipt.effectiveGasPrice);
  return parseEther(networkFee);
}

/** All coins of the wallets of this test, and of the account that earns the fees. */
async function sum(): Promise<bigint> {
  const { miner } = await chain.getBlock();
  const all = [miner, ...everybody.map(({ address }) => address)];
  return (await Promise.all(all.map(native))).reduce((total, one) => total + one, 0n);
}

describe('a wallet that was paid exactly 10 USDC, and nothing for gas', () => {
  it.each([
    ['as an ERC-20 coin', byCoin('10')],
    ['as the native coin', byValue('10')],
  ])('cannot send all 10 %s, since the fee comes from them too', async (_face, fields) => {
    const [from, to] = [await paidTen(), await newWallet()];
    const record = await send(from, to, fields);
    expect(record).toMatchObject({ state: 'FAILED', errorReason: 'INSUFFICIENT_NATIVE_TOKEN' });
    expect(record.txHash ?? '').toBe('');
    await expectBoth(from, ten);
    await expectBoth(to, 0n);
  });

  it.each([
    ['9.99 as an ERC-20 coin', [byCoin('9.99')], sendInTurn, 1],
    ['9.99 as the native coin', [byValue('9.99')], sendInTurn, 1],
    ['9.99 by both faces, in one block', [byCoin('5'), byValue('4.99')], sendInOneBlock, 1],
    ['9.99 by both faces, in two blocks', [byValue('5'), byCoin('4.99')], sendInTurn, 2],
  ])('sends %s, and all agree to the base unit', async (_what, payments, sendAll, blocks) => {
    const [from, to] = [await paidTen(), await newWallet()];
    const before = await sum();
    const records = await sendAll(from, to, payments);
    expect(records.map(({ state }) => state)).toEqual(payments.map(() => 'COMPLETE'));
    expect(new Set(records.map(({ blockHeight }) => blockHeight)).size).toBe(blocks);
    const fees = await Promise.all(records.map(feeOf));
    const left = fees.reduce((rest, fee) => rest - fee, parseEther('0.01'));
    await expectBoth(to, parseEther('9.99'));
    await expectBoth(from, left);
    expect(await sum()).toBe(before);
  });

  it('sends all but the fee to the last unit, and not one unit more', async () => {
    const [from, to] = [await paidTen(), await newWallet()];
    const fee = { feeLevel: undefined, gasLimit: '21000', maxFee: '20', priorityFee: '0' };
    const more = await send(from, to, { ...byValue('9.999580000000000001'), ...fee });
    expect(more).toMatchObject({ state: 'FAILED', errorReason: 'INSUFFICIENT_NATIVE_TOKEN' });
    expect(await send(from, to, { ...byValue('9.99958'), ...fee })).toMatchObject({
      state: 'COMPLETE',
    });
    await expectBoth(from, 0n);
    await expectBoth(to, parseEther('9.99958'));
  });
});

it('is the same chain after a kill -9 and a rebuild: hashes, receipts and both faces', async () => {
  await untilRest(sandbox);
  const head = await chain.getBlockNumber();
  const { transactions } = await sandbox.client.listTransactions({ pageSize: 50 });
  const hashes = transactions.flatMap(({ txHash }) => (txHash ? [txHash] : []));
  expect(hashes.length).toBeGreaterThan(10);
  const everything = async () => ({
    blocks: await Promise.all(
      Array.from({ length: Number(head) + 1 }, async (_, at) => {
        const { hash, stateRoot } = await chain.getBlock({ blockNumber: BigInt(at) });
        return { hash, stateRoot };
      }),
    ),
    receipts: await Promise.all(
      hashes.map((hash) => chain.getTransactionReceipt({ hash: `0x${hash.slice(2)}` })),
    ),
    native: await Promise.all(everybody.map(({ address }) => native(address))),
    shown: await Promise.all(everybody.map(({ id }) => holdings(sandbox.client, id))),
    sum: await sum(),
  });
  const before = await everything();
  await sandbox.killProcess();
  await sandbox.ready();
  expect(await everything()).toEqual(before);
  for (const wallet of everybody) await expectBoth(wallet, await native(wallet.address));
});
