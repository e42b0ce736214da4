import { createPublicClient, getAddress, http, parseAbi } from 'viem';
import { openNode } from '../../../src/books/chain/node';
import { closeDay } from '../../../src/books/reconcile/closeDay';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import type { StatementRow } from '../../../src/books/statement';
import { ordersIn } from '../../../src/client/temporal/ordersIn';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { reconciled } from '../../support/books/reconciled';
import { openTokenHouse, type TokenHouse } from '../../support/books/tokenHouse';
import { untilRest } from '../../support/chain/outside';
import { setUp } from '../../support/jest/setUp';
import { newLine, openedPayout, payoutOf } from '../../support/payouts';
import { settled, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { startScene } from '../receipt/scene';

const scene = setUp(() => startScene());
let house: TokenHouse;
/** Holds the tokens, and its gas is paid by somebody else. */
let holder: Wallet;
let token: string;
let items: string;
let multi: string;

beforeAll(async () => {
  house = await openTokenHouse(scene.sandbox);
  ({ token, items, multi } = house);
  holder = await scene.sandbox.usedWallet('SCA');
  await house.giveToken(holder);
  await house.giveItem(holder);
  await house.giveItems(holder);
  await house.giveItems(holder);
});

/** Moves a token with the API key alone, past Steadfast. */
async function steal(
  fields: object,
): Promise<{ thief: string; rows: ReconcileRow[]; code: unknown }> {
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
    const moved = { amount: '1', token: `item 0 of ${items}`, counterparty: thief };
    expect(rows).toEqual([expect.objectContaining({ class: 'moved by somebody else', ...moved })]);
  });

  it('is named with each item, where it is several of an ERC-1155', async () => {
    const fields = { tokenAddress: multi, amounts: ['3', '4'], nftTokenIds: ['0', '1'] };
    const { rows } = await steal(fields);
    expect(rows.map(({ class: own, amount, token }) => [own, amount, token])).toEqual([
      ['moved by somebody else', '3', `item 0 of ${multi}`],
      ['moved by somebody else', '4', `item 1 of ${multi}`],
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
    const item = rows.filter((row) => row.token === `item 0 of ${items}`);
    expect(item.map(({ row, balance }) => [row, balance])).toEqual([
      ['opening', '0'],
      ['in', '1'],
      ['out', '0'],
      ['closing', '0'],
    ]);
  });
});

describe('an airdrop', () => {
  let spam: string;
  beforeAll(async () => {
    const stranger = await house.stranger();
    ({ spam } = stranger);
    await stranger.airdrop(holder);
  });

  it('is a quiet row, and its amount is in base units where it has no decimals', async () => {
    const { findings, notLookedAt } = await reconciled(scene);
    const own = findings.filter(({ token = '' }) => token.includes(spam));
    expect(own.map((row) => [row.class, row.amount, row.token])).toEqual([
      ['unlisted inbound', '1', `base units of ${spam}`],
    ]);
    expect(notLookedAt).toEqual([expect.stringMatching(/^balances, since the node .* no old/)]);
  });

  it('has room in a journal, and is left out of camt.053 with a word', async () => {
    const period = ['--wallet', holder.id, '--from', '2020-01-01'];
    const journal = await scene.steadfast('statement', ...period, '--format', 'hledger');
    expect(journal.told).toContain(`  -77 "${token}" = 923 "${token}"`);
    expect(journal.told).toContain(`nothing proves the closing balance of "base units of ${spam}"`);
    const bank = await scene.steadfast('statement', ...period, '--format', 'camt053');
    expect(bank.told).toContain(`The token is ${token}.`);
    expect(bank.told).not.toContain(`The token is base units of ${spam}.`);
    expect(bank.told).toContain('<AddtlInf>Left out: 1 account of a token');
    expect(bank.told).toContain(`Not looked at: balances of base units of ${spam},`);
  });

  it('is named by a close as not looked at, whose balances agree', async () => {
    const { sandbox, orders } = scene;
    await untilRest(sandbox);
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
      `Not looked at: balances of base units of ${spam}, which their contracts do`,
    );
    expect(closed.balances).toContainEqual(
      expect.objectContaining({ token, wallet: holder.address.toLowerCase(), closing: '893' }),
    );
  });
});
