import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { createPublicClient, http, toEventHash } from 'viem';
import type { StatementRow } from '../../../src/books/statement';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { bankReaders, type ReadEntry, readers } from '../../support/books/bankReaders';
import { type FieldDay, startFieldDay } from '../../support/books/fieldDay';
import { hledgerProgram } from '../../support/books/hledger';
import { reconciled } from '../../support/books/reconciled';
import { xsdValidator } from '../../support/package/iso20022';
import { newLines, openedPayout, payoutOf } from '../../support/payouts';
import { startProxy } from '../../support/service/proxy';

const folder = mkdtempSync(join(tmpdir(), 'field-books-'));
const read = bankReaders();
const hledger = hledgerProgram();
const validate = xsdValidator();
/** Tests with programs of others, which a machine without an index of packages cannot have. */
const testWith = (...programs: unknown[]) => (programs.includes(undefined) ? test.skip : test);

let day: FieldDay;
beforeAll(async () => {
  day = await startFieldDay();
});
afterAll(() => day.scene.stop());

async function saved(name: string, ...flags: string[]): Promise<string> {
  const path = join(folder, name);
  const { code, told } = await day.statement(...flags, '--out', path);
  if (code !== 0) throw new Error(told);
  return path;
}

const isMovement = ({ row }: StatementRow): boolean => ['in', 'out', 'fee'].includes(row);

async function movements(): Promise<StatementRow[]> {
  return (await day.rows()).filter(isMovement);
}

describe('the books see every token', () => {
  // Source: stolen by POST /developer/transactions/transfer, and reconcile said "1 matched", exit 0.
  test('each theft by the API key is a row and exit 3, whatever its token and wallet', async () => {
    const { code, findings } = await reconciled(day.scene);
    expect(code).toBe(3);
    for (const { id, thief, token, amount, wallet } of day.thefts) {
      const own = findings.filter((one) => one.transactionId === id && one.token === token);
      expect(own).toEqual([expect.objectContaining({ class: 'moved by somebody else', amount })]);
      expect(own[0]).toMatchObject({ counterparty: thief, wallet: wallet.toLowerCase() });
    }
    expect(day.thefts).toHaveLength(6);
  });

  // Source: a payout paid in another ERC-20 had no row in any form, and "add up" was printed.
  test('our own payments of another token and of items are matched rows', async () => {
    const { findings } = await reconciled(day.scene);
    const own = findings.filter(({ order }) => order === day.payout.id);
    expect(own.map((row) => [row.class, row.line, row.amount, row.token])).toEqual([
      ['matched', 'x1', '10', day.house.token],
      ['matched', '-dash', '20', day.house.token],
    ]);
    const moved = findings.filter(({ order = '' }) => day.moves.includes(order));
    const items = moved.filter(({ token = '' }) => token.startsWith('item'));
    expect(items.map((row) => [row.class, row.amount, row.token]).sort()).toEqual([
      ['matched', '1', `item 0 of ${day.house.items}`],
      ['matched', '4', `item 1 of ${day.house.multi}`],
    ]);
  });

  // Source: the chain's own logs, which the statement of such a day did not have.
  test('each log of a token that names a wallet is a row of its statement', async () => {
    const { house, eoa, sca, scene } = day;
    const client = createPublicClient({ transport: http(scene.sandbox.rpcUrl) });
    const logs = await client.getLogs({ fromBlock: 0n });
    const contracts = [house.token, house.items, house.multi];
    const wanted = [eoa, sca].flatMap(({ address }) =>
      logs
        .filter((log) => contracts.includes(log.address.toLowerCase()))
        .filter(({ topics }) => partiesIn(topics).includes(address.toLowerCase()))
        .map(({ transactionHash, logIndex }) => `${address} ${transactionHash} ${logIndex}`),
    );
    const rows = (await movements()).filter(({ contract = '' }) => contracts.includes(contract));
    const shown = rows.map(({ wallet, txHash, logIndex }) => `${wallet} ${txHash} ${logIndex}`);
    expect(shown.sort()).toEqual(wanted.sort());
    // Eight came, and a payout of two, two orders and six thefts went.
    expect(shown).toHaveLength(18);
  });

  // Source: tokens that spammers send must not wake anybody.
  test('spam that comes in is a quiet class, and the statement does not vouch for it', async () => {
    const before = await day.statement();
    expect(before.told).toContain('Balances and movements add up.');
    await day.airdrop();
    const { scene, spam, endedAt } = day;
    expect(await reconciled(scene, '--from', endedAt)).toMatchObject({
      code: 0,
      counts: { 'unlisted inbound': 1, 'moved by somebody else': 0 },
      findings: [{ class: 'unlisted inbound', token: `base units of ${spam}` }],
    });
    const { told, code } = await day.statement();
    expect(code).toBe(0);
    expect(told).toContain('Balances and movements of all that was looked at add up.');
    expect(told).toContain(`Not looked at: balances of base units of ${spam},`);
  });
});

/** The two sides of a log of a token or of items. Empty for any other log. */
function partiesIn([event, ...parties]: readonly string[]): string[] {
  const isToken = event === toEventHash('Transfer(address,address,uint256)');
  const isItems = [
    toEventHash('TransferSingle(address,address,address,uint256,uint256)'),
    toEventHash('TransferBatch(address,address,address,uint256[],uint256[])'),
  ].some((one) => one === event);
  const two = isToken ? parties.slice(0, 2) : isItems ? parties.slice(1) : [];
  return two.map((topic) => `0x${topic.slice(-40)}`);
}

/** Rows of accounts that camt.053 tells: rows of tokens that something proves. */
async function toldRows(): Promise<StatementRow[]> {
  return (await movements()).filter(({ contract }) => contract !== day.spam);
}

describe('programs of others read camt.053', () => {
  let entries: Record<(typeof readers)[number], ReadEntry[]>;
  let oldest: typeof entries;
  const testRead = testWith(read);
  const thieves = () => day.thefts.map(({ thief }) => thief);
  beforeAll(async () => {
    if (read === undefined) return;
    const flags = ['--format', 'camt053'];
    entries = read(await saved('books.xml', ...flags));
    oldest = read(await saved('oldest.xml', ...flags, '--camt-version', '02'));
  });

  // Source: bankstatementparser 0.0.29, pycamt 1.1.1 and camt053 0.0.23 lost account and reference.
  testRead.each(readers)('%s reads every movement once, with id, dates and party', async (name) => {
    const rows = await toldRows();
    const own = entries[name].filter(({ words }) => !words.startsWith('Cut to'));
    const rounding = own.length - rows.length;
    expect(rounding).toBeGreaterThanOrEqual(0);
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
    const today = new Date().toISOString().slice(0, 4);
    for (const { id, value, booked, currency } of own) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect([value.slice(0, 4), booked.slice(0, 4), currency]).toEqual([today, today, 'XXX']);
    }
    // bankstatementparser looks for the party where the first versions have it.
    const parties = name === 'bankstatementparser' ? (oldest[name] ?? []) : own;
    for (const payee of [...day.payout.lines.map(({ to }) => to), ...thieves()]) {
      expect(parties.filter(({ party }) => party === payee.toLowerCase())).toHaveLength(1);
    }
  });

  // Source: six accounts became one sum, "98.7429 XXX", in bankstatementparser.
  testRead.each(['bankstatementparser', 'camt053'] as const)(
    '%s keeps the accounts of wallets and tokens apart, and sums each up',
    async (name) => {
      const rows = await day.rows();
      const told = rows.filter(({ contract }) => contract !== day.spam);
      const accounts = new Set(told.map(({ wallet, token }) => `${wallet} ${token}`));
      const ids = new Set(entries[name].map(({ account }) => account));
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-\w{1,8}-[0-9a-f]{16}$/);
      const moving = new Set(told.filter(isMovement).map(({ wallet, token }) => wallet + token));
      expect(ids.size).toBeGreaterThanOrEqual(moving.size);
      expect(ids.size).toBeLessThanOrEqual(accounts.size);
      const closing = told.find(
        (row) => row.row === 'closing' && row.token === day.house.token && row.wallet === wallet(),
      );
      const start = `${wallet().slice(2, 10)}-${day.house.token.slice(2, 10)}-`;
      const own = entries[name].filter(({ account }) => account.startsWith(start));
      const sum = own.reduce((all, { amount, direction }) => {
        const units = toBaseUnits(amount.replace('-', ''), 5);
        return direction === 'DBIT' ? all - units : all + units;
      }, 0n);
      expect(fromBaseUnits(sum, 5)).toBe(closing?.balance);
    },
  );

  const wallet = () => day.sca.address.toLowerCase();

  // Source: OCA's parser had "/" as the reference of every row, and references lost their letters.
  testRead('the remittance is the reference, whole, with umlauts and pictures', () => {
    for (const name of ['bankstatementparser', 'pycamt'] as const) {
      const words = entries[name].map((one) => one.words);
      expect(words).toContain('Rechnung Müller 🏠');
      expect(words.filter((text) => text === '' || text === '/')).toEqual([]);
    }
  });

  // Source: alyf-de/banking#307, Budget#276: a second import must add nothing.
  testRead('a movement has the same id in every statement that tells it', async () => {
    const rows = await toldRows();
    const middle = rows[Math.floor(rows.length / 2)]?.time ?? '';
    const file = await saved('later.xml', '--format', 'camt053', '--from', middle);
    const known = new Set(entries.camt053.map(({ id }) => id));
    // The entry of what cutting left out is of the period, and has no party.
    const again = read?.(file).camt053.filter(({ party }) => party !== '') ?? [];
    expect(again.length).toBeGreaterThan(5);
    expect(again.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  // Source: genkgo/camt knows 02 to 08, kivitendo-erp#645 names 02, 04, 06 and 08 in the wild.
  testWith(read, validate).each(['02', '08', '12'] as const)(
    'version %s is valid for its schema, and its programs read the same entries',
    async (version) => {
      const flags = ['--format', 'camt053', '--camt-version', version];
      const file = await saved(`books-${version}.xml`, ...flags);
      expect(validate?.(`camt.053.001.${version}`, file)).toBe('valid');
      // The sum of the cut decimals has the time of the newest block, and the chain goes on.
      const own = (all: readonly ReadEntry[] = []) =>
        all.filter(({ words }) => !words.startsWith('Cut to'));
      expect(own(read?.(file).pycamt)).toEqual(own(entries.pycamt));
    },
  );

  // Source: moneyphp gives XXX no decimals, so that 0.21 becomes 0.
  testRead('tokens have the currency that the user names, and others stay XXX', async () => {
    const flags = ['--format', 'camt053', '--currency', 'USDC=USD,EURC=EUR'];
    const told = read?.(await saved('currency.xml', ...flags)).camt053 ?? [];
    const ofUsdc = told.filter(({ account }) => account.includes('-USDC-'));
    expect(new Set(ofUsdc.map(({ currency }) => currency))).toEqual(new Set(['USD']));
    const others = told.filter(({ account }) => !/-(USDC|EURC)-/.test(account));
    expect(new Set(others.map(({ currency }) => currency))).toEqual(new Set(['XXX']));
  });
});

describe('programs of others read the other forms', () => {
  // Source: `hledger -s` ended with "undeclared account".
  testWith(hledger)('hledger --strict checks the journal, and has the same balances', async () => {
    const path = await saved('books.journal', '--format', 'hledger');
    expect(hledger?.('--strict', '-f', path, 'check')).toBe('');
    const { house, sca } = day;
    const flags = ['balance', `assets:wallets:${sca.address.toLowerCase()}`, '-N', '-f', path];
    const told = hledger?.(...flags, `cur:${house.token}`, '--format', '%(total)') ?? '';
    const closing = (await day.rows()).find(
      (one) => one.row === 'closing' && one.token === house.token && one.wallet === sca.address,
    );
    expect(Number(told.trim().split(' ')[0])).toBe(Number(closing?.balance));
    const register = hledger?.('-f', path, '--strict', 'print', `cur:${house.token}`) ?? '';
    expect(register.match(/^\d{4}-\d\d-\d\d .* sent/gm)).toHaveLength(4);
  });

  // Source: QuickBooks takes exactly Date, Description and Amount (quickbooks.intuit.com L4BjLWckq).
  testWith(read)(
    'a bank CSV for each wallet and token has every movement, with a sign',
    async () => {
      const path = await saved('bank', '--format', 'bank-csv');
      const rows = await toldRows();
      const files = readdirSync(path);
      const texts = files.map((name) => readFileSync(join(path, name), 'utf8'));
      for (const text of texts) expect(text.split('\n')[0]).toBe('Date,Description,Amount');
      const counts = files.map((name) => read?.(join(path, name)).csv.length ?? 0);
      expect(counts.reduce((sum, one) => sum + one, 0)).toBe(rows.length);
      const { sca, house } = day;
      const start = `${sca.address.slice(2, 10)}-${house.token.slice(2, 10)}-`;
      const own = files.filter((name) => name.startsWith(start));
      expect(own).toHaveLength(1);
      const entries = read?.(join(path, String(own[0]))).csv ?? [];
      expect(entries.map(({ amount }) => amount)).toEqual(['1000', '-10', '-20', '-77']);
    },
  );

  // Source: the line "-dash" became "'-dash", and a join by id failed.
  test('the CSV has the id of a line as it is, and no formula', async () => {
    const text = readFileSync(await saved('books.csv', '--format', 'csv'), 'utf8');
    const cells: Record<string, string>[] = parse(text, { columns: true });
    const lines = cells.map(({ line }) => line).filter(Boolean);
    expect(lines).toEqual(['x1', '-dash']);
  });
});

// Source: lines of JSON with 400 characters on a terminal, where people expect a table.
test('a statement on a terminal is a table, and JSON Lines by a flag or in a pipe', async () => {
  const { told } = await day.statement('--format', 'table');
  const [header = '', ...lines] = told.split('\n');
  expect(header).toMatch(/^time \(UTC\) +wallet +what +amount +token +balance +to or from +for$/);
  const sent = lines.filter((line) => line.includes(' sent ') && line.includes('-10 '));
  expect(sent).toEqual([expect.stringContaining(`Rechnung Müller 🏠 · ${day.payout.id} x1`)]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(240);
});

// Source: 300 lines of 3 transactions took 30 s, since each line was read by itself.
test('receipt verify of 10,000 lines takes a minute at most, and asks each thing once', async () => {
  const { scene, sca } = day;
  const lines = newLines(150);
  const { workflowId, handle } = await openedPayout(scene.orders, payoutOf([sca], { lines }));
  await handle.result();
  const receipts = await scene.receipts(workflowId);
  expect(receipts).toHaveLength(lines.length);
  const many = Array.from({ length: 67 }, () => receipts).flat();
  const node = await startProxy();
  const { rpcUrl } = scene.sandbox;
  node.forwardTo(rpcUrl);
  const asked: string[] = [];
  node.change = (_, body) => {
    asked.push(body.replace(/"id":\d+/, ''));
    return body;
  };
  const startedMs = Date.now();
  const url = new URL(new URL(rpcUrl).pathname, node.baseUrl).href;
  const { code, told } = await scene.verify(many, url);
  await node.close();
  expect(code).toBe(0);
  expect(told.match(/is proven by the chain/g)).toHaveLength(10_050);
  expect(Date.now() - startedMs).toBeLessThan(60_000);
  expect([...new Set(asked)].sort()).toEqual(asked.sort());
});
