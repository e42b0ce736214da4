import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  concat,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseAbi,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type ReceiptAnswer, receiptActivities } from '../../../activities/chain/receipt';
import type { Effect } from '../../../src/chain/effect';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { startBareNode } from '../../support/chain/bareNode';
import { deployToken } from '../../support/chain/deployments';
import { deployCode, execute } from '../../support/chain/foreignToken';
import { setUp } from '../../support/jest/setUp';
import { transferOf, usdc } from '../../support/sandbox';
import { startLyingNode } from '../../support/service/lyingNode';
import { inStagedSandbox, someone } from '../../support/stages';

const both = ['EOA', 'SCA'] as const;
const coin = 10n ** 18n;

const sandbox = inStagedSandbox();
const client = setUp(async () => sandbox.client);
const wallets = setUp(async () => ({
  EOA: await sandbox.usedWallet('EOA'),
  SCA: await sandbox.usedWallet('SCA'),
}));

/** Checks the receipt of a record on the chain. */
function check(record: Transaction, effect: Effect, change: object = {}): Promise<ReceiptAnswer> {
  const { txHash = '', userOpHash, sourceAddress: sender = '' } = record;
  const question = { txHash, userOpHash, sender, effect, ...change };
  return receiptActivities(sandbox.rpcUrl).checkReceipt(question);
}

/** A transfer of one USDC, unless the fields say otherwise. */
function transfer(from: Wallet, to: string, fields: object = {}): Effect {
  const plain = { from: from.address, to, baseUnits: '1000000', blockchain: 'ETH-SEPOLIA' };
  return { kind: 'transfer', tokenAddress: usdc, ...plain, ...fields };
}

async function sent(from: Wallet, to: string, order: object = {}): Promise<Transaction> {
  return sandbox.settled((await client.createTransfer(transferOf(from, to, order))).id);
}

function exactly(record: Transaction): ReceiptAnswer {
  return { found: 'success', faults: [], blockNumber: record.blockHeight ?? 0 };
}

function fault(words: string) {
  return { found: 'absent', other: expect.stringContaining(words) };
}

it('leaves an operation open until a later one is in a block, and does not call it dead then', async () => {
  const { address: sender } = wallets.SCA;
  const other = await sent(wallets.SCA, someone());
  const since = new Date(0).toISOString();
  const search = { id: 'own', isSmart: true, since, knownAt: since };
  const userOpHash = `0x${'ab'.repeat(32)}`;
  const { checkReceipt } = receiptActivities(sandbox.rpcUrl, { custody: client });
  const effect = transfer(wallets.SCA, someone());
  const heardAt = (heardMs: number) =>
    checkReceipt({ sender, userOpHash, effect, search: { ...search, heardMs } });
  const settledMs = Date.parse(other.updateDate);
  const isOpen = { found: 'absent', replaced: false };
  expect(await heardAt(settledMs + 60_000)).toMatchObject(isOpen);
  // It came after the word. The node may have shown it before what came in front of it.
  expect(await heardAt(settledMs - 120_000)).not.toHaveProperty('replaced');
});

describe.each(both)('the receipt of a transfer of an %s', (type) => {
  const native = { tokenAddress: '', amounts: ['0.5'] };
  const nativeEffect = { tokenAddress: '', baseUnits: (coin / 2n).toString() };

  it('shows a token that has moved as ordered, in whatever letters', async () => {
    const to = someone();
    const from = wallets[type];
    const record = await sent(from, to);
    expect(await check(record, transfer(from, to))).toEqual(exactly(record));
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const effect = { from: upper(from.address), to: upper(to), tokenAddress: upper(usdc) };
    const sender = upper(from.address);
    const answer = await check(record, transfer(from, to, effect), { sender });
    expect(answer).toEqual(exactly(record));
  });

  it('names what is not as ordered: amount, receiver, sender, token', async () => {
    const to = someone();
    const from = wallets[type];
    const record = await sent(from, to);
    const moved = `it moved 1000000 base units of ${usdc} from`;
    for (const change of [{ baseUnits: '1000001' }, { to: someone() }]) {
      expect(await check(record, transfer(from, to, change))).toMatchObject(fault(moved));
    }
    const other = await check(record, transfer(from, to, { from: someone() }));
    expect(other.other).toMatch(/it was done by 0x\w+, ordered was 0x.*; it moved/);
    const token = { tokenAddress: someone() };
    expect(await check(record, transfer(from, to, token))).toMatchObject(
      fault('it moved nothing of it'),
    );
  });

  it('shows the native coin that has moved as ordered, and no other amount', async () => {
    const to = someone();
    const from = wallets[type];
    const record = await sent(from, to, native);
    expect(await check(record, transfer(from, to, nativeEffect))).toEqual(exactly(record));
    for (const change of [{ baseUnits: '1' }, { to: someone() }]) {
      const effect = transfer(from, to, { ...nativeEffect, ...change });
      const moved = `it moved ${nativeEffect.baseUnits} base units of the native coin`;
      expect(await check(record, effect)).toMatchObject(fault(moved));
    }
  });

  it('takes either form of a coin that is a token too, by its exact amount', async () => {
    const to = someone();
    const from = wallets[type];
    const blockchain = 'ARC-TESTNET';
    const token = await sent(from, to);
    const asCoin = { tokenAddress: '', baseUnits: coin.toString(), blockchain };
    expect(await check(token, transfer(from, to, asCoin))).toEqual(exactly(token));
    const coins = await sent(from, to, native);
    const asToken = { baseUnits: '500000', blockchain };
    expect(await check(coins, transfer(from, to, asToken))).toEqual(exactly(coins));
    const finer = { ...asCoin, baseUnits: (coin + 1n).toString() };
    expect(await check(token, transfer(from, to, finer))).toMatchObject(fault('it moved 1000000'));
    // A payment that is a token alone is not looked for in the coin.
    const alone = transfer(from, to, { baseUnits: '500000' });
    expect(await check(coins, alone)).toMatchObject(fault('it moved nothing of it'));
  });

  it('shows that it reverted', async () => {
    await sandbox.plan('failOnChain');
    const to = someone();
    const record = await sent(wallets[type], to);
    expect(record).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    const { blockHeight: blockNumber } = record;
    const answer = await check(record, transfer(wallets[type], to));
    expect(answer).toEqual({ found: 'reverted', faults: [], blockNumber });
  });

  it('shows a deployment and a mint, and does not take one for the other', async () => {
    const wallet = wallets[type];
    const { address, transactionId } = await deployToken(client, wallet);
    const deployed = await sandbox.settled(transactionId);
    const deployment: Effect = { kind: 'deployment', from: wallet.address };
    expect(await check(deployed, deployment)).toEqual(exactly(deployed));
    const to = someone();
    const data = encodeFunctionData({ abi: mintAbi, args: [to as Hex, 7n] });
    const minted = await sandbox.settled(await execute(client, wallet, { to: address, data }));
    const minting = { kind: 'mint', contractAddress: address, to, decimals: 18 } as const;
    const mint: Effect = { ...minting, baseUnits: '7' };
    expect(await check(minted, mint)).toEqual(exactly(minted));
    expect(await check(minted, { kind: 'call', from: wallet.address })).toEqual(exactly(minted));
    expect(await check(minted, { ...minting, baseUnits: '8' })).toMatchObject(
      fault('it moved 7 base'),
    );
    expect(await check(minted, deployment)).toMatchObject(fault('it created no contract'));
    expect(await check(deployed, mint)).toMatchObject(fault('it moved nothing of it'));
  });
});

const mintAbi = parseAbi(['function mintTo(address to, uint256 amount)']);

describe('the receipt of a bundle', () => {
  let senders: Wallet[];
  beforeAll(async () => {
    senders = [wallets.SCA, await sandbox.usedWallet('SCA'), await sandbox.usedWallet('SCA')];
  });

  /** Sends a transfer of each sender in one transaction. With `fails`, the second fails on the chain. */
  async function bundled(to: string, fails: boolean): Promise<Transaction[]> {
    await sandbox.stopBlocks();
    const ids: string[] = [];
    for (const [place, from] of senders.entries()) {
      if (fails && place === 1) await sandbox.plan('failOnChain');
      ids.push(await sandbox.send(from, to));
    }
    for (const id of ids) await sandbox.inState(id, 'SENT');
    await sandbox.run();
    const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(new Set(records.map(({ txHash }) => txHash)).size).toBe(1);
    return records;
  }

  it('shows to each sender its own operation, by its hash or by its sender', async () => {
    const to = someone();
    for (const [place, record] of (await bundled(to, false)).entries()) {
      const effect = transfer(senders[place] ?? wallets.SCA, to);
      expect(await check(record, effect)).toEqual(exactly(record));
      expect(await check(record, effect, { userOpHash: undefined })).toEqual(exactly(record));
      expect(await check(record, effect, { userOpHash: '' })).toEqual(exactly(record));
    }
  });

  it('shows one that has failed among others that have not', async () => {
    const to = someone();
    const records = await bundled(to, true);
    const answers = await Promise.all(
      records.map((record, place) => check(record, transfer(senders[place] ?? wallets.SCA, to))),
    );
    expect(answers.map(({ found }) => found)).toEqual(['success', 'reverted', 'success']);
    expect(answers.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('is nothing to whom it carries no operation of', async () => {
    const to = someone();
    const [record, other] = await bundled(to, false);
    if (record === undefined || other === undefined) throw new Error('There was no bundle.');
    const effect = transfer(wallets.SCA, to);
    const { userOpHash } = other;
    expect(await check(record, effect, { userOpHash })).toMatchObject(
      fault(`carries no user operation ${userOpHash} of it`),
    );
    const stranger = { sender: wallets.EOA.address, userOpHash: undefined };
    expect(await check(record, effect, stranger)).toMatchObject(fault('was not sent by'));
  });

  it('proves nothing when it has reverted: its operations may be sent again', async () => {
    const broken = await sandbox.usedWallet('SCA');
    const code = await deployCode(client, wallets.EOA, notAnAccount);
    const data = concat([upgradeTo, pad(code)]);
    await sandbox.settled(await execute(client, broken, { to: broken.address, data }));
    const to = someone();
    const record = await sent(broken, to);
    expect(record).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    const absent = { found: 'absent', faults: [], replaced: false };
    expect(await check(record, transfer(broken, to))).toEqual({ ...absent, ...asOfBlock });
  });
});

/** Says that it may be upgraded to, and answers anything else with the same word. */
const notAnAccount =
  '7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5f5260205ff3';
const upgradeTo = '0x3659cfe6';

/** The newest block that an absence was read with. */
const asOfBlock = { headAgeMs: expect.any(Number), headMs: expect.any(Number) };

describe('the receipt of what is in no block', () => {
  const absent = { found: 'absent', faults: [], ...asOfBlock };

  it('is absent, and nobody knows its nonce', async () => {
    const effect = transfer(wallets.EOA, someone());
    const record = await sent(wallets.EOA, someone());
    expect(await check(record, effect, { txHash: `0x${'ab'.repeat(32)}` })).toEqual(absent);
  });

  it('is absent when it was cancelled after it was sent', async () => {
    const to = someone();
    await sandbox.stopBlocks();
    const id = await sandbox.send(wallets.EOA, to);
    const waiting = await sandbox.inState(id, 'SENT');
    expect(await check(waiting, transfer(wallets.EOA, to))).toEqual(absent);
    await client.cancelTransaction({ id, idempotencyKey: randomUUID() });
    await sandbox.run();
    const record = await sandbox.settled(id);
    expect(record.state).toBe('CANCELLED');
    expect(await check(record, transfer(wallets.EOA, to))).toEqual(absent);
  });

  it('is replaced once another call is in a block with its nonce, deep enough', async () => {
    const { rpcUrl, stop } = await startBareNode();
    const lying = await startLyingNode(rpcUrl);
    const account = privateKeyToAccount(generatePrivateKey());
    const { address } = account;
    const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(walletActions);
    const to = someone();
    const serializedTransaction = await account.signTransaction({
      ...({ chainId: 31_337, type: 'eip1559', nonce: 0, to: address, gas: 21_000n } as const),
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
    const txHash = `0x${'cd'.repeat(32)}`;
    const effect: Effect = { kind: 'transfer', tokenAddress: '', from: address, to, ...oneCoin };
    const since = new Date(0).toISOString();
    const search = { id: 'one', isSmart: false, since, knownAt: since };
    /** The answer while the nonce has been used for so many blocks more. */
    const askAfter = async (blocks: number): Promise<ReceiptAnswer> => {
      await node.mine({ blocks });
      const question = { txHash, sender: address, effect, search };
      const { checkReceipt } = receiptActivities(lying.url, { custody: client });
      const ask = (): Promise<ReceiptAnswer> => checkReceipt(question);
      return new MockActivityEnvironment().run(ask);
    };
    try {
      await node.setBalance({ address, value: coin });
      await node.mine({ blocks: 1 });
      await node.sendRawTransaction({ serializedTransaction });
      lying.pending.set(txHash, { ...waiting, hash: txHash, from: address, to });
      expect(await askAfter(10)).toEqual({ ...absent, replaced: false });
      expect(await askAfter(15)).toEqual({ ...absent, replaced: true });
      // The nonce of another order's transaction says nothing of this one.
      lying.pending.set(txHash, { ...waiting, hash: txHash, from: address, to: someone() });
      expect(await askAfter(1)).toEqual({ ...absent, replaced: false });
    } finally {
      lying.close();
      await stop();
    }
  });
});

const oneCoin = { baseUnits: '1', blockchain: 'ETH-SEPOLIA' };

/** A transaction of the coin that no block has, as a node shows it. */
const waiting = {
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  type: '0x0',
  chainId: '0x7a69',
  nonce: '0x0',
  gas: '0x5208',
  gasPrice: '0x1',
  value: '0x1',
  input: '0x',
  v: '0x1b',
  r: '0x1',
  s: '0x1',
};
