import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newReceipt } from '../../books/archive/stores';
import { consoleOffice, payee } from '../office';

const office = consoleOffice();
const folder = mkdtempSync(join(tmpdir(), 'steadfast-console-store-'));
const store = `file:${join(folder, 'store')}`;
const shop = consoleOffice({ store });
const { ann, bo } = office.people;
const path = '/payouts/payout%3Ajune';
const line = {
  lineId: 'a-1',
  to: payee,
  amount: '2',
  token: 'USDC',
  outcome: 'failed',
  walletAddress: `0x${'1'.repeat(40)}`,
  generation: 0,
} as const;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

beforeAll(async () => {
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  const money = { from: line.walletAddress, to: payee, token, amount: '2', baseUnits: '2000000' };
  const order = { id: 'transfer:other', kind: 'transferStablecoin' };
  const archive = await openArchive(store);
  const since = { ...money, amount: '7', baseUnits: '7000000' };
  await archive.append([newReceipt({ order, money: since, time: daysAgo(40) })]);
  await archive.append([newReceipt({ order, money, time: new Date().toISOString() })]);
  await archive.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const one of [office, shop]) {
    one.script.controls.length = 0;
    one.asks.id = 'payout:june';
    one.script.failed = [{ ...line, reason: '=cmd("x")' }];
  }
});

describe('the page of a payout', () => {
  it('retries a failed line for whoever requests payments', async () => {
    const own = await office.signIn(ann.signIn);
    const page = await office.ask(path, { headers: own });
    expect(page.body).toContain('data-line="a-1"');
    const answer = await office.post(`${path}/retry`, { lineId: 'a-1' }, own);
    expect(answer.statusCode).toBe(200);
    expect(office.script.controls).toEqual([{ name: 'retry', id: 'payout:june', reason: ['a-1'] }]);
  });

  it('sends nothing again at once where another order has paid the payee since', async () => {
    const own = await shop.signIn(shop.people.ann.signIn);
    const first = (await shop.post(`${path}/retry`, { lineId: 'a-1' }, own)).json();
    expect(first.message).toContain('Nothing is sent yet: the line a-1 pays 2 USDC to');
    expect(first.message).toContain('as in transfer:other, less than a day ago');
    expect(shop.script.controls).toEqual([]);
    await shop.post(`${path}/retry`, { lineId: 'a-1', despite: first.despite }, own);
    expect(shop.script.controls).toHaveLength(1);
  });

  it('knows all payments since the payout began, and none from before', async () => {
    const own = await shop.signIn(shop.people.ann.signIn);
    const answers = [];
    shop.asks.id = 'payout:july';
    shop.script.failed = [{ ...line, amount: '7' }];
    for (const began of [45, 30]) {
      shop.script.beganAt = daysAgo(began);
      const retry = '/payouts/payout%3Ajuly/retry';
      answers.push((await shop.post(retry, { lineId: 'a-1' }, own)).json().message);
    }
    expect(answers).toEqual([
      expect.stringContaining('as in transfer:other, 40 days ago'),
      expect.stringContaining('The line a-1 is sent again'),
    ]);
  });

  it('names the command to all others, and retries nothing for them', async () => {
    const own = await office.signIn(bo.signIn);
    const page = await office.ask(path, { headers: own });
    expect(page.body).not.toContain('data-action="retry"');
    expect(page.body).toContain('steadfast payout retry payout:june a-1');
    const answer = await office.post(`${path}/retry`, { lineId: 'a-1' }, own);
    expect(answer.statusCode).toBe(403);
    const forged = { ...(await office.signIn(ann.signIn)), 'x-csrf': 'forged' };
    expect((await office.post(`${path}/retry`, { lineId: 'a-1' }, forged)).statusCode).toBe(403);
    expect(office.script.controls).toEqual([]);
  });

  it('gives its results as a file, which no spreadsheet runs', async () => {
    const own = await office.signIn(bo.signIn);
    const file = await office.ask(`${path}/results.csv`, { headers: own });
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payout_june.csv"',
    });
    expect(parse(file.body, { columns: true })).toMatchObject([
      { lineId: 'a-1', outcome: 'failed', reason: '\'=cmd("x")' },
    ]);
    expect((await office.ask(`${path}/results.csv`)).statusCode).toBe(303);
  });
});
