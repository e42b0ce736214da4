import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { provenPayments } from '../../../activities/chain/memos';
import { type Anvil, startAnvil } from '../../../sandbox/chain/node/anvil';
import { encodeCall } from '../../../src/custody/abi/callData';
import { functionOf } from '../../../src/custody/abi/functionOf';
import { batchCall, memoIdOf, multicallFrom, paymentData } from '../../../src/custody/batch';
import { memoContract, memoSignature } from '../../../src/custody/memo';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { startStrictNode } from '../../support/books/archiveNode';
import { setUp } from '../../support/jest/setUp';
import { usdc } from '../../support/sandbox';
import { inStagedSandbox, someone } from '../../support/stages';

const sandbox = inStagedSandbox();
const own = setUp(() => sandbox.fundedWallet('EOA'));
const stranger = setUp(() => sandbox.fundedWallet('EOA'));

const dayAgoMs = Date.now() - 86_400_000;

/** The payments that memos with these ids prove, from the own wallet. */
async function proven(
  memoIds: string[],
  { rpcUrl = sandbox.rpcUrl, senders = [own.address], sinceMs = dayAgoMs } = {},
) {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  let found: Awaited<ReturnType<typeof provenPayments>> = [];
  await environment.run(async () => {
    found = await provenPayments(rpcUrl, { memoIds, senders, sinceMs });
  });
  return found;
}

function newId(): string {
  return memoIdOf('payout:test', randomUUID(), 0);
}

async function call(
  wallet: Wallet,
  fields: { contractAddress: string; abiFunctionSignature: string; abiParameters: string[] },
): Promise<string> {
  const input = { walletId: wallet.id, feeLevel: 'MEDIUM' as const, ...fields };
  const { client } = sandbox;
  const { id } = await client.executeContract({ ...input, idempotencyKey: randomUUID() });
  const { txHash = '' } = await sandbox.settled(id, 'COMPLETE');
  return txHash;
}

type Named = { memoId: string; target: string };

/** Calls something with a memo, USDC unless another target is named. */
function withMemo(wallet: Wallet, memo: string | Named, data: string): Promise<string> {
  const { memoId, target } = typeof memo === 'string' ? { memoId: memo, target: usdc } : memo;
  return call(wallet, {
    contractAddress: memoContract,
    abiFunctionSignature: memoSignature,
    abiParameters: [target, `0x${data}`, `0x${memoId}`, '0x'],
  });
}

function payment(baseUnits = '5') {
  return { to: someone(), baseUnits };
}

describe('a memo proves a payment', () => {
  test('that its sender has made alone', async () => {
    const [memoId, paid] = [newId(), payment()];
    const hash = await withMemo(own, memoId, paymentData(paid));
    const [one, ...others] = await proven([newId(), memoId]);
    expect(one).toMatchObject({ memoId, hash, moved: { baseUnits: 5n } });
    expect(one?.moved.to.toLowerCase()).toBe(paid.to.toLowerCase());
    expect(others).toEqual([]);
  });

  test('that its sender has made in a batch', async () => {
    const { client } = sandbox;
    const ids = [newId(), newId(), newId()];
    const payments = ids.map((mark) => ({ ...payment(), mark }));
    const account = { address: own.address, accountType: 'EOA' };
    const batch = batchCall(account, { tokenAddress: usdc, payments }, { mayFail: true });
    const input = { walletId: own.id, feeLevel: 'MEDIUM' as const, ...batch };
    const { id } = await client.executeContract({ ...input, idempotencyKey: randomUUID() });
    await sandbox.settled(id, 'COMPLETE');
    expect((await proven(ids)).map(({ memoId }) => memoId)).toEqual(ids);
  });
});

describe('a memo proves nothing', () => {
  test('where somebody else has sent it, with or without a payment', async () => {
    const [one, other] = [newId(), newId()];
    await withMemo(stranger, one, paymentData(payment()));
    await withMemo(stranger, other, `70a08231${own.address.slice(2).padStart(64, '0')}`);
    expect(await proven([one, other])).toEqual([]);
  });

  test('where its call has paid nobody', async () => {
    const memoId = newId();
    const approval = `095ea7b3${someone().slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`;
    await withMemo(own, memoId, approval);
    expect(await proven([memoId])).toEqual([]);
  });

  test('where a batch is inside it', async () => {
    const memoId = newId();
    const payments = [{ ...payment(), mark: 'ab'.repeat(16) }];
    const account = { address: own.address, accountType: 'EOA' };
    const batch = batchCall(account, { tokenAddress: usdc, payments }, { mayFail: false });
    const abi = functionOf(batch.abiFunctionSignature);
    const data = abi && encodeCall(abi, batch.abiParameters);
    await withMemo(own, { memoId, target: multicallFrom }, data?.slice(2) ?? '');
    expect(await proven([memoId])).toEqual([]);
  });

  test('for other accounts', async () => {
    const memoId = newId();
    await withMemo(own, memoId, paymentData(payment()));
    expect(await proven([memoId], { senders: [stranger.address] })).toEqual([]);
    expect(await proven([memoId], { senders: [stranger.address, own.address] })).toHaveLength(1);
  });
});

describe('a node that answers only for some blocks at a time', () => {
  const blocksMax = 600;
  let chain: Anvil;
  let node: Awaited<ReturnType<typeof startStrictNode>>;
  const asked: [first: number, last: number][] = [];
  beforeAll(async () => {
    chain = await startAnvil({
      chainId: 5_042_002,
      genesisTimestampS: 1,
      baseFeePerGas: 1n,
      blockGasLimit: 30_000_000n,
    });
    node = await startStrictNode(chain.rpcUrl, ({ method, params: [filter] = [] }) => {
      if (method !== 'eth_getLogs') return undefined;
      const [first, last] = [Number(filter?.fromBlock), Number(filter?.toBlock)];
      if (last - first >= blocksMax) return 'query exceeds the largest range';
      asked.push([first, last]);
      return undefined;
    });
  });
  afterAll(async () => {
    node.close();
    await chain.stop();
  });

  test('is asked in smaller ranges, and again for new blocks until its answers agree', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x44c', '0x1'] };
    const headers = { 'content-type': 'application/json' };
    await fetch(chain.rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await proven([newId()], { rpcUrl: node.url, sinceMs: 1_000 })).toEqual([]);
    const firsts = asked.map(([first]) => first);
    const ranges = asked.filter(([first], at) => firsts.indexOf(first) === at);
    const next = ranges.map(([, last]) => last + 1);
    expect(ranges.map(([first]) => first)).toEqual([0, ...next.slice(0, -1)]);
    expect(ranges.length).toBeGreaterThan(1);
    expect(ranges.at(-1)?.[1]).toBe(1_100);
    for (const range of asked) expect(ranges).toContainEqual(range);
  });
});
