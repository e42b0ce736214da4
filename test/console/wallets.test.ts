import type { StatementRow } from '../../src/books/statement';
import { Refusal } from '../../src/console/refusal';
import type { AccountWatch } from '../../src/console/watch/watching';
import { consoleOffice, payee } from './office';

const id = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const evil = '<img src=x onerror=alert(1)>';
const wallet = {
  id,
  name: `Tills ${evil}`,
  address: payee,
  accountType: 'EOA',
  state: 'LIVE',
  held: [
    ['20.123456', 'USDC, and native: one coin'],
    ['3', evil],
  ] as [string, string][],
};
const row: StatementRow = {
  row: 'out',
  walletId: id,
  wallet: payee,
  token: 'USDC',
  decimals: 18,
  amount: '0.000000000000000001',
  baseUnits: '1',
  balance: '20',
  block: 7,
  time: '2026-11-27T10:00:00.000Z',
  reference: `=1+1 ${evil}`,
};
const faulty = { ...row, row: 'in', token: evil, amount: '2', baseUnits: '2', decimals: 0 };
const now: { watch: Partial<AccountWatch> } = { watch: {} };
const told: Partial<AccountWatch> = {
  wallets: async () => {
    return now.watch.wallets?.() ?? { wallets: [wallet], blockchain: 'ARC-TESTNET', left: 0 };
  },
  statement: async (wanted) => {
    const lines = [row, faulty].map((one) => `${JSON.stringify(one)}\n`).join('');
    return now.watch.statement?.(wanted) ?? { lines, left: [`a token ${evil}`] };
  },
};
const office = consoleOffice({ watch: told });
const { vi } = office.people;
afterEach(() => {
  now.watch = {};
});

async function page(path: string): Promise<string> {
  const { body } = await office.ask(path, { headers: await office.signIn(vi.signIn) });
  expect(body).not.toContain('<img src=x');
  return body;
}

describe('the page of wallets', () => {
  it('has the whole address and all amounts of each, as text', async () => {
    const body = await page('/wallets');
    expect(body).toContain(`<code>${payee}</code>`);
    expect(body).toContain('<div>20.123456 USDC, and native: one coin</div>');
    expect(body).toContain('Tills &lt;img src=x onerror=alert(1)&gt;');
    expect(body).toContain('as a worker has read it');
    expect(body).toContain('aria-current="page">Wallets');
  });

  it('says in a sentence that no worker answers, and has its head all the same', async () => {
    now.watch.wallets = () => Promise.reject(new Refusal(503, 'No worker has answered.'));
    const body = await page('/wallets');
    expect(body).toContain('<p class="warn">No worker has answered.</p>');
    expect(body).toContain('href="/health"');
    const own = await page(`/wallets/${id}?from=2026-11-27&to=2026-11-27`);
    expect(own).toContain('No worker has answered.');
    expect(own).toContain('In and out a day');
  });

  it('is for people who have signed in', async () => {
    for (const path of ['/wallets', '/books', '/health', `/wallets/${id}/statement.csv`]) {
      expect((await office.ask(path)).headers.location).toBe('/sign-in');
    }
  });
});

describe('the page of a wallet', () => {
  it('says that the chain was not asked without a node', async () => {
    const body = await page(`/wallets/${id}`);
    expect(body).toContain('CHAIN_RPC_URL is not set for the console');
    expect(body).not.toContain('In and out a day');
  });

  it('shows a day with exact sums, beside a picture that nothing can run in', async () => {
    const body = await page(`/wallets/${id}?from=2026-11-27&to=2026-11-27`);
    expect(body).toContain('<div>0.000000000000000001</div>');
    expect(body).toContain('Not looked at:');
    const [, data = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(body) ?? [];
    const svg = Buffer.from(data, 'base64').toString();
    expect(svg).toContain('USDC: balance');
    expect(svg).not.toContain('<img');
  });

  it.each([
    ['csv', /^row,time,block,.*\nout,2026-11-27T10:00:00\.000Z,7,/],
    ['jsonl', /^{"row":"out"/],
  ])('lets the statement be downloaded as %s', async (form, start) => {
    const path = `/wallets/${id}/statement.${form}?from=2026-11-27&to=2026-11-27`;
    const answer = await office.ask(path, { headers: await office.signIn(vi.signIn) });
    expect(answer.headers['content-disposition']).toContain(`-2026-11-27.${form}"`);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toMatch(start);
  });

  it.each([
    ['/wallets/no-wallet', 'must be the id of a wallet'],
    [`/wallets/${id}?from=2026-11-28&to=2026-11-27`, 'must not be before from'],
    [`/wallets/${id}?from=2026-01-01&to=2026-11-27`, 'less than 92 days after from'],
    [`/wallets/${id}?from=yesterday`, 'from:'],
    [`/wallets/${id}/statement.xlsx?from=2026-11-27&to=2026-11-27`, 'form:'],
  ])('refuses %s', async (path, words) => {
    const answer = await office.ask(path, { headers: await office.signIn(vi.signIn) });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(words);
  });

  it('names a wallet that the account does not have', async () => {
    const body = await page('/wallets/0c3f3d3e-9999-4222-8333-4444aaaa6666');
    expect(body).toContain('The account has no wallet 0c3f3d3e-9999');
  });
});
