import { parse } from 'csv-parse/sync';
import { consoleOffice, payee } from '../office';

const office = consoleOffice();
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

beforeEach(() => {
  office.script.controls.length = 0;
  office.asks.id = 'payout:june';
  office.script.failed = [{ ...line, reason: '=cmd("x")' }];
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
