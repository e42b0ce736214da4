import { randomUUID } from 'node:crypto';
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbi,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { openNode } from '../../../src/statement/chain/node';
import { closeDay } from '../../../src/statement/reconcile/closeDay';
import type { Finding } from '../../../src/statement/reconcile/finding';
import type { StatementRow } from '../../../src/statement/statement';
import { ordersIn } from '../../../src/temporal/ordersIn';
import { reconciled } from '../../support/books/reconciled';
import { deployTemplate, deployToken } from '../../support/chain/deployments';
import { deployCode, foreignToken } from '../../support/chain/foreignToken';
import { newLine, openedPayout, payoutOf } from '../../support/payouts';
import { settled, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { type Scene, startScene } from '../receipt/scene';

let scene: Scene;
/** Deploys and mints, under references of ours. */
let owner: Wallet;
/** Holds the tokens, and its gas is paid by somebody else. */
let holder: Wallet;
let token: string;
let items: string;
let multi: string;

beforeAll(async () => {
  scene = await startScene();
  const { sandbox } = scene;
  owner = await sandbox.usedWallet('EOA');
  holder = await sandbox.usedWallet('SCA');
  token = (await deployToken(sandbox.client, owner)).address.toLowerCase();
  items = (await deployTemplate(sandbox.client, owner, { family: 'uniqueItem' })).address;
  multi = (await deployTemplate(sandbox.client, owner, { family: 'multiToken' })).address;
  await call(token, 'mintTo(address,uint256)', [holder.address, `${1000n * 10n ** 18n}`]);
  await call(items, 'mintTo(address,string)', [holder.address, 'ipfs://one']);
  const anyId = (2n ** 256n - 1n).toString();
  for (const uri of ['ipfs://two', 'ipfs://three']) {
    const parameters = [holder.address, anyId, uri, '7'];
    await call(multi, 'mintTo(address,uint256,string,uint256)', parameters);
  }
});
afterAll(() => scene.stop());

/** Calls a contract as orders of ours do. */
async function call(to: string, signature: string, parameters: string[]) {
  const parts = { workflowId: `execute:${randomUUID()}`, step: 'execute', item: '1' };
  const { id } = await scene.sandbox.client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: owner.id,
    contractAddress: to,
    abiFunctionSignature: signature,
    abiParameters: parameters,
    feeLevel: 'MEDIUM',
    refId: refId({ ...parts, generation: 0 }),
  });
  expect(await settled(scene.sandbox.client, id)).toMatchObject({ state: 'COMPLETE' });
}

/** Moves a token with the API key alone, past Steadfast. */
async function steal(fields: object): Promise<{ thief: string; rows: Finding[]; code: unknown }> {
  const { client } = scene.sandbox;
  const thief = someone();
  const { id } = await client.createTransfer(transferOf(holder, thief, fields));
  expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
  const { code, findings } = await reconciled(scene);
  return { thief, code, rows: findings.filter((row) => row.transactionId === id) };
}

describe('the theft of a token that no list of ours has', () => {
  it('is named, where it is an ERC-20 and somebody else has paid the gas', async () => {
    const { thief, code, rows } = await steal({ tokenAddress: token, amounts: ['77'] });
    expect(code).toBe(3);
    expect(rows).toEqual([
      expect.objectContaining({
        class: 'moved by somebody else',
        amount: '77',
        token,
        wallet: holder.address.toLowerCase(),
        counterparty: thief,
      }),
    ]);
  });

  it('is named, where it is one item of an ERC-721', async () => {
    const fields = { tokenAddress: items, amounts: ['1'], nftTokenIds: ['0'] };
    const { thief, rows } = await steal(fields);
    const moved = { amount: '1', token: `item 0 of ${items.toLowerCase()}`, counterparty: thief };
    expect(rows).toEqual([expect.objectContaining({ class: 'moved by somebody else', ...moved })]);
  });

  it('is named with each item, where it is several of an ERC-1155', async () => {
    const fields = { tokenAddress: multi, amounts: ['3', '4'], nftTokenIds: ['0', '1'] };
    const { rows } = await steal(fields);
    expect(rows.map(({ class: own, amount, token }) => [own, amount, token])).toEqual([
      ['moved by somebody else', '3', `item 0 of ${multi.toLowerCase()}`],
      ['moved by somebody else', '4', `item 1 of ${multi.toLowerCase()}`],
    ]);
  });

  it('is named from the record alone, where it did not come about', async () => {
    const { client } = scene.sandbox;
    await scene.sandbox.plan('denied');
    const fields = { tokenAddress: token, amounts: ['5'] };
    const { id } = await client.createTransfer(transferOf(holder, someone(), fields));
    expect(await settled(client, id)).toMatchObject({ state: 'DENIED' });
    const { findings } = await reconciled(scene);
    expect(findings.filter((row) => row.transactionId === id)).toEqual([
      expect.objectContaining({
        class: 'moved by somebody else',
        amount: '5',
        token,
        why: expect.stringContaining('The service shows DENIED, and the chain no movement.'),
      }),
    ]);
  });
});

describe('a token that no list of ours has', () => {
  it('is matched, line by line, where a payout of ours has paid it', async () => {
    const lines = ['10', '20'].map((amount) => newLine({ amount, token }));
    const order = payoutOf([holder], { lines });
    const { workflowId, handle } = await openedPayout(scene.orders, order);
    await handle.result();
    const { findings } = await reconciled(scene);
    const own = findings.filter((row) => row.order === workflowId);
    expect(own.map(({ class: name, amount, token, line }) => [name, amount, token, line])).toEqual(
      lines.map(({ amount, lineId }) => ['matched', amount, token, lineId]),
    );
  });

  it('has rows in the statement, which end with what the chain shows', async () => {
    const { told, code } = await scene.steadfast(
      ...['statement', '--wallet', holder.id, '--from', '2020-01-01'],
    );
    expect(code).toBe(0);
    const rows: StatementRow[] = told
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const own = rows.filter((row) => row.token === token);
    expect(own.map(({ row, amount }) => [row, amount])).toEqual([
      ['opening', undefined],
      ['in', '1000'],
      ['out', '77'],
      ['out', '10'],
      ['out', '20'],
      ['closing', undefined],
    ]);
    const chain = createPublicClient({ transport: http(scene.sandbox.rpcUrl) });
    const held = await chain.readContract({
      address: getAddress(token),
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [getAddress(holder.address)],
    });
    expect(own.at(-1)).toMatchObject({ balanceBaseUnits: `${held}`, decimals: 18 });
    const item = rows.filter((row) => row.token === `item 0 of ${items.toLowerCase()}`);
    expect(item.map(({ row, balance }) => [row, balance])).toEqual([
      ['opening', '0'],
      ['in', '1'],
      ['out', '0'],
      ['closing', '0'],
    ]);
  });
});

describe('an airdrop', () => {
  let spam: Hex;
  beforeAll(async () => {
    spam = await deployCode(scene.sandbox.client, owner, foreignToken(255n));
    await airdrop(spam, holder);
  });

  it('is a quiet row, and its amount is in base units where it has no decimals', async () => {
    const { findings, notLookedAt } = await reconciled(scene);
    const own = findings.filter(({ token = '' }) => token.includes(spam.toLowerCase()));
    expect(own.map((row) => [row.class, row.amount, row.token])).toEqual([
      ['unlisted inbound', '1', `base units of ${spam.toLowerCase()}`],
    ]);
    expect(notLookedAt).toEqual([expect.stringMatching(/^balances, since the node .* no old/)]);
  });

  it('has room in a journal, and is left out of camt.053 with a word', async () => {
    const period = ['--wallet', holder.id, '--from', '2020-01-01'];
    const journal = await scene.steadfast('statement', ...period, '--format', 'hledger');
    expect(journal.told).toContain(`  -77 "${token}" = 923 "${token}"`);
    expect(journal.told).toContain(
      `nothing proves the closing balance of "base units of ${spam.toLowerCase()}"`,
    );
    const bank = await scene.steadfast('statement', ...period, '--format', 'camt053');
    expect(bank.told).toContain(`The token is ${token}.`);
    expect(bank.told).not.toContain(`The token is base units of ${spam.toLowerCase()}.`);
    expect(bank.told).toContain('<AddtlInf>Left out: 1 account of a token');
    expect(bank.told).toContain(`Not looked at: balances of base units of ${spam.toLowerCase()},`);
  });

  it('is named by a close as not looked at, whose balances agree', async () => {
    const { sandbox, orders } = scene;
    const untilMs = Date.now() + 3_600_000;
    const later = { timestampS: Math.ceil(untilMs / 1_000) + 60, transactions: [] };
    const newest = await sandbox.chain.client.getBlock();
    await sandbox.chain.mineBlock(later);
    const closed = await closeDay({
      custody: sandbox.client,
      node: openNode(sandbox.rpcUrl),
      blockchain: 'ARC-TESTNET',
      orders: ordersIn(orders.client, { fromMs: 0, untilMs }),
      period: { fromMs: 0, untilMs },
      day: '2026-01-31',
      timeZone: 'UTC',
      closing: Number(newest.number),
    });
    expect(closed.balances.flatMap(({ unexplained }) => unexplained ?? [])).toEqual([]);
    expect(closed.counts).toMatchObject({ 'unlisted inbound': 5, 'paid twice': 0 });
    expect(closed).toMatchObject({
      isBalanced: false,
      summary: expect.stringContaining(' moved by somebody else · '),
    });
    expect(closed.summary).toContain(
      `Not looked at: balances of base units of ${spam.toLowerCase()}, which their contracts do`,
    );
    expect(closed.balances).toContainEqual(
      expect.objectContaining({ token, wallet: holder.address.toLowerCase(), closing: '893' }),
    );
  });
});

/** Has a stranger send one base unit of a token, in a block that the service does not know. */
async function airdrop(spam: Hex, wallet: Wallet): Promise<void> {
  const { client, chain } = scene.sandbox;
  const stranger = privateKeyToAccount(generatePrivateKey());
  const coins = { tokenAddress: '', amounts: ['0.1'] };
  const { id } = await client.createTransfer(transferOf(owner, stranger.address, coins));
  await settled(client, id);
  const args = [getAddress(wallet.address), 1n] as const;
  const raw = await stranger.signTransaction({
    chainId: 5_042_002,
    type: 'eip1559',
    nonce: 0,
    to: spam,
    gas: 100_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  });
  const head = await chain.client.getBlock();
  await chain.mineBlock({ timestampS: Number(head.timestamp) + 1, transactions: [raw] });
}
