import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  publicActions,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ownTransactions } from '../../../activities/chain/own/ownTransactions';
import { type ReceiptQuestion, receiptActivities } from '../../../activities/chain/receipt';
import type { Effect } from '../../../src/chain/effect';
import { hex, hurried, isTrouble } from '../../../src/chain/readChain';
import type { CallOptions, CustodyApi } from '../../../src/custody/endpoints';
import { UnexpectedAnswerError } from '../../../src/custody/errors';
import type { Page } from '../../../src/custody/list';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { startBareNode } from '../../support/chain/bareNode';
import { type LyingNode, startLyingNode } from '../../support/service/lyingNode';
import { someone } from '../../support/stages';

const coin = 10n ** 18n;
/** Logs Transfer(caller, first argument, second argument). */
const payingCode =
  '0x602435600052600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300';
const account = privateKeyToAccount(generatePrivateKey());
const { address: sender } = account;
const notKept = 'The state of that block is not kept.';

let bare: Awaited<ReturnType<typeof startBareNode>>;
let node: ReturnType<typeof chainOf>;
let lying: LyingNode;
beforeAll(async () => {
  bare = await startBareNode();
  node = chainOf(bare.rpcUrl);
  await node.setBalance({ address: sender, value: 100n * coin });
});
afterAll(() => bare.stop());
beforeEach(async () => {
  lying = await startLyingNode(bare.rpcUrl);
});
afterEach(() => lying.close());

function chainOf(rpcUrl: string) {
  return createTestClient({ account, mode: 'anvil', transport: http(rpcUrl) })
    .extend(walletActions)
    .extend(publicActions);
}

/** A payment of one coin that no block has yet. */
async function sent(): Promise<ReceiptQuestion> {
  const to = hex(someone());
  await node.sendTransaction({ to, value: coin, chain: null });
  const effect: Effect = {
    kind: 'transfer',
    tokenAddress: '',
    from: sender,
    to,
    baseUnits: `${coin}`,
    blockchain: 'ETH-SEPOLIA',
  };
  const since = new Date(0).toISOString();
  return { sender, effect, search: { id: 'own', isSmart: false, since, knownAt: since } };
}

/** A record as the client reads it. An odd one spoils its page, unless it can be salvaged. */
function read(record: Partial<Transaction>, salvage: CallOptions['salvage']): unknown {
  if (record.updateDate !== odd) return record;
  if (salvage === undefined)
    throw new UnexpectedAnswerError('updateDate: no date', { status: 200 });
  return salvage({ ...record, updateDate: 7 });
}
const odd = 'odd';

/** Asks for a receipt, of a service whose list has these records. */
function ask(question: ReceiptQuestion, records: readonly Partial<Transaction>[] = []) {
  const transactions = records.map((record) => ({ sourceAddress: sender, ...record }));
  const custody = {
    listTransactions: async ({ pageAfter }: Page, { salvage }: CallOptions) => ({
      transactions: pageAfter === undefined ? transactions.map((one) => read(one, salvage)) : [],
    }),
  } as unknown as CustodyApi;
  return receiptActivities(lying.url, { custody }).checkReceipt(question);
}

describe('the search for an ordered call', () => {
  test('finds a payment that leaves the pool while the chain is read', async () => {
    const question = await sent();
    let isMined = false;
    lying.before = async ({ method, params }) => {
      const isPool = method === 'eth_getTransactionCount' && params[1] === 'pending';
      if (isPool && !isMined) await node.mine({ blocks: 1 });
      isMined ||= isPool;
      return undefined;
    };
    expect(await ask(question)).toMatchObject({ found: 'success' });
  });

  test('finds a payment in a block while the node counts a pool that it does not show', async () => {
    const paid = await sent();
    await node.mine({ blocks: 1 });
    const waiting = await sent();
    lying.hidesPool = true;
    expect(await ask(paid)).toMatchObject({ found: 'success' });
    expect(await ask(waiting)).toMatchObject({ found: 'absent', replaced: false });
    await node.mine({ blocks: 1 });
    expect(await ask(waiting)).toMatchObject({ found: 'success' });
  });

  test.each([
    ['of the same amount', { amounts: ['1.0'] }, 'absent'],
    ['of another amount', { amounts: ['2'] }, 'success'],
    [
      'that cannot be read, and is of another sender',
      { sourceAddress: someone(), updateDate: odd },
      'success',
    ],
    ['that cannot be read, of another amount', { amounts: ['2'], updateDate: odd }, 'success'],
    ['of another payee', { amounts: ['1'], destinationAddress: someone() }, 'success'],
  ])('heeds the claim of another record %s by its words', async (_, record, found) => {
    const question = await sent();
    await node.mine({ blocks: 1 });
    const to = question.effect.kind === 'transfer' ? question.effect.to : '';
    const other = { id: 'other', state: 'COMPLETE', destinationAddress: to, ...record };
    expect(await ask(question, [other])).toMatchObject({ found });
  });

  test.each([
    ['of the same payee', {}],
    ['that shows no sender', { sourceAddress: undefined }],
    ['that shows nothing', { sourceAddress: undefined, destinationAddress: undefined }],
  ])('proves nothing beside a record that cannot be read %s', async (_, record) => {
    const question = await sent();
    await node.mine({ blocks: 1 });
    const to = question.effect.kind === 'transfer' ? question.effect.to : '';
    const other = { id: 'other', destinationAddress: to, ...record, updateDate: odd };
    const words = expect.stringContaining('record other cannot be read');
    expect(await ask(question, [other])).toMatchObject({ replaced: false, other: words });
  });

  test.each([
    ['no sender', { sourceAddress: '' }],
    ['no payee', { destinationAddress: undefined }],
    ['an empty payee and no sender', { sourceAddress: undefined, destinationAddress: '' }],
  ])('proves nothing beside a complete record that shows %s', async (_, record) => {
    const question = await sent();
    await node.mine({ blocks: 1 });
    const to = question.effect.kind === 'transfer' ? question.effect.to : '';
    const other = { id: 'other', state: 'COMPLETE', destinationAddress: to, ...record };
    const words = expect.stringContaining('record other is incomplete, and may be the one of');
    expect(await ask(question, [other])).toMatchObject({ replaced: false, other: words });
  });

  test.each([
    ['a later order', { laterMs: 120_000, isSent: true }, 'absent'],
    ['an order of about that time', { laterMs: 58_000, isSent: true }, 'success'],
    ['a later order that was found in the list', { laterMs: 120_000 }, 'success'],
  ])('takes a payment that nobody claims for that of %s', async (_, how, found) => {
    const { laterMs, ...search } = how;
    const question = await sent();
    await node.mine({ blocks: 1 });
    const { timestamp } = await node.getBlock();
    const since = new Date(Number(timestamp) * 1_000 + laterMs).toISOString();
    const own = { id: 'own', isSmart: false, since, knownAt: since, ...search };
    expect(await ask({ ...question, search: own })).toMatchObject({ found });
  });

  test.each([
    ['may be of either of two alike', false, { found: 'absent', replaced: false }],
    ['is of the one that names it too', true, { found: 'success' }],
  ])('tells that a payment which another record calls failed %s', async (_, isNamed, answer) => {
    const question = await sent();
    await node.mine({ blocks: 1 });
    const { transactions } = await node.getBlock();
    const txHash = isNamed ? transactions[0] : undefined;
    const to = question.effect.kind === 'transfer' ? question.effect.to : '';
    const other = { id: 'other', state: 'FAILED', destinationAddress: to, amounts: ['1'] };
    const receipt = await ask({ ...question, txHash }, [other]);
    expect(receipt).toMatchObject(answer);
    if (!isNamed) expect(receipt.other).toContain('record other is FAILED and names ');
  });

  test.each([
    ['that pays the same', {}, 'absent'],
    ['of another payee', { abiParameters: [someone(), '5'] }, 'success'],
    ['of another contract', { contractAddress: someone() }, 'success'],
  ])('heeds the claim of a contract execution %s', async (_, record, found) => {
    const [token, to] = [hex(someone()), hex(someone())];
    // Code that answers nothing, and logs what a token logs.
    await node.setCode({ address: token, bytecode: payingCode });
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] });
    await node.sendTransaction({ to: token, data, gas: 100_000n, chain: null });
    await node.mine({ blocks: 1 });
    const money = { tokenAddress: token, from: sender, to, baseUnits: '5' };
    const effect: Effect = { kind: 'transfer', ...money, blockchain: 'ETH-SEPOLIA' };
    const since = new Date(0).toISOString();
    const search = { id: 'own', isSmart: false, since, knownAt: since };
    const other = {
      id: 'other',
      state: 'COMPLETE',
      contractAddress: token,
      abiFunctionSignature: 'transfer(address,uint256)',
      abiParameters: [to, '5'],
      ...record,
    };
    expect(await ask({ sender, effect, search }, [other])).toMatchObject({ found });
  });

  test('comes to its end on a node without old states, call by call', async () => {
    const question = await sent();
    await node.mine({ blocks: 300 });
    lying.before = async ({ method, params }) =>
      method === 'eth_getTransactionCount' && /^0x/.test(String(params[1])) ? notKept : undefined;
    const search = () => ownTransactions(lying.url, sender, { sinceMs: 0, blocksMax: 200n });
    await expect(search()).rejects.toThrow('the search goes on by itself');
    const found = await search();
    const to = question.effect.kind === 'transfer' ? question.effect.to : '';
    expect(found.filter((one) => one.to === to.toLowerCase())).toHaveLength(1);
  });

  test('is put off where the backends of a node lag, and reads no block for that', async () => {
    const question = await sent();
    await node.mine({ blocks: 30 });
    const blocks: unknown[] = [];
    lying.before = async ({ method, params }) => {
      if (method === 'eth_getBlockByNumber' && params[1] === true) blocks.push(params[0]);
      return method === 'eth_getTransactionCount' ? 'header not found' : undefined;
    };
    const search = () => ownTransactions(lying.url, sender, { sinceMs: 0 });
    const told = await hurried(1_500, search).catch((error: unknown) => error);
    expect(String(told)).toContain('it lacks a block that it should have: header not found');
    expect(isTrouble(told)).toBe(true);
    expect(blocks).toEqual([]);
    lying.before = async () => undefined;
    const to = question.effect.kind === 'transfer' ? question.effect.to.toLowerCase() : '';
    expect((await search()).map((one) => one.to)).toContain(to);
  });

  test('reads no block twice for two orders of an account, and shows each its own time', async () => {
    const blocks: unknown[] = [];
    lying.before = async ({ method, params }) => {
      if (method === 'eth_getBlockByNumber' && params[1] === true) blocks.push(params[0]);
      return method === 'eth_getTransactionCount' && /^0x/.test(String(params[1]))
        ? notKept
        : undefined;
    };
    const early = await sent();
    await node.mine({ blocks: 100, interval: 60 });
    const { timestamp } = await node.getBlock();
    const late = await sent();
    await node.mine({ blocks: 100 });
    const payeesSince = async (sinceMs: number) =>
      (await ownTransactions(lying.url, sender, { sinceMs })).map(({ to }) => to);
    const payee = ({ effect }: ReceiptQuestion) =>
      effect.kind === 'transfer' ? effect.to.toLowerCase() : '';
    expect(await payeesSince(0)).toEqual(expect.arrayContaining([payee(early), payee(late)]));
    const first = blocks.splice(0);
    const since = await payeesSince(Number(timestamp) * 1_000);
    expect(since).toContain(payee(late));
    expect(since).not.toContain(payee(early));
    expect(first.length).toBeGreaterThan(200);
    expect(blocks.length).toBeLessThan(50);
  });
});
