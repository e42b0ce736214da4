import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { hledgerProgram } from '../../support/books/hledger';
import { xsdValidator } from '../../support/package/iso20022';
import { paidOnChain, payers } from '../../support/payouts';
import { someone } from '../../support/stages';
import { type Scene, startScene } from '../receipt/scene';

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const yesterday = dayOf(Date.now() - dayMs);
const head = 'date,currency,token,rate,source';

let scene: Scene;
let wallet: { id: string; address: string };
beforeAll(async () => {
  scene = await startScene();
  scene.env = { STEADFAST_TASK_QUEUE: scene.orders.taskQueue };
  const [one] = await payers(scene.sandbox, 'EOA');
  if (one === undefined) throw new Error('There is no wallet.');
  wallet = one;
});
afterAll(() => scene.stop());

function fileOf(name: string, rows: readonly string[]): string {
  const path = scene.path(name);
  writeFileSync(path, `${rows.join('\n')}\n`);
  return path;
}

const ratesOf = (rate: string): string =>
  fileOf(`rates-${rate}.csv`, [head, `${yesterday},EUR,USDC,${rate},ECB`]);

describe('a payout of amounts in a currency', () => {
  const id = randomUUID();
  const lines = [
    { lineId: 'a-1', to: someone(), amount: '0.108', token: 'USDC' },
    { lineId: 'a-2', to: someone(), amount: '0.207', token: 'USDC' },
  ];
  let args: string[];
  beforeAll(() => {
    const [one, two] = lines;
    const rows = [`a-1,${one?.to},0.10,EUR`, `a-2,${two?.to},0.207,USDC`];
    const path = fileOf('lines.csv', ['lineId,to,amount,currency', ...rows]);
    args = ['payout', path, '--wallet', wallet.id];
  });

  it('shows both amounts and the rate in its dry run, and pays nothing', async () => {
    const { code, told } = await scene.steadfast(
      ...[...args, '--id', id, '--rates', ratesOf('1.08'), '--dry-run', '--json'],
    );
    expect(code).toBe(0);
    const rate = { currency: 'EUR', rate: '1.08', day: yesterday, source: 'ECB' };
    const sum = { ...rate, lines: 1, asked: '0.1', token: 'USDC', paid: '0.108' };
    expect(JSON.parse(told.slice(0, told.indexOf('\n}\n') + 2))).toMatchObject({
      dryRun: true,
      exchanges: [sum],
    });
    expect(await paidOnChain(scene.sandbox, lines)).toEqual({ 'a-1': [], 'a-2': [] });
  });

  it('pays the tokens, and keeps the exchange in results and receipts', async () => {
    const paid = await scene.steadfast(...args, '--id', id, '--rates', ratesOf('1.08'));
    expect(paid.told).toContain(
      `1 EUR = 1.08 USDC, the rate of ${yesterday} (ECB): 0.1 EUR in 1 line pays 0.108 USDC`,
    );
    expect(paid.code).toBe(0);
    const onChain = await paidOnChain(scene.sandbox, lines);
    expect(Object.values(onChain).map((hashes) => hashes.length)).toEqual([1, 1]);
    const exchange = {
      amount: '0.1',
      currency: 'EUR',
      rate: '1.08',
      day: yesterday,
      source: 'ECB',
    };
    const results = await scene.steadfast('payout', 'results', id, '--csv', scene.path('r.csv'));
    expect(results.code).toBe(0);
    const [first, second] = parse(readFileSync(scene.path('r.csv'), 'utf8'), { columns: true });
    expect(first).toMatchObject({ amount: '0.108', currencyAmount: '0.1', currency: 'EUR' });
    expect(first).toMatchObject({ rate: '1.08', rateDay: yesterday, txHash: onChain['a-1']?.[0] });
    expect(second).toMatchObject({ currencyAmount: '', currency: '', rate: '' });
    const receipts = await scene.receipts(`payout:${id}`);
    const kept = Object.fromEntries(receipts.map(({ item, order }) => [item, order.exchange]));
    expect(kept).toEqual({ 'a-1': exchange, 'a-2': undefined });
    expect(await scene.verify(receipts)).toMatchObject({ code: 0 });
  });

  it('is not paid again at another rate, and says which rate it has kept', async () => {
    const before = await paidOnChain(scene.sandbox, lines);
    const again = await scene.steadfast(...args, '--id', id, '--rates', ratesOf('1.09'));
    expect(again.code).toBe(2);
    expect(again.told).toContain(
      'the amount of line a-1 was 0.108 ' +
        `(0.1 EUR at 1.08, the rate of ${yesterday} (ECB)), is 0.109 ` +
        `(0.1 EUR at 1.09, the rate of ${yesterday} (ECB))`,
    );
    expect(again.told).toContain('Nothing is paid by this.');
    expect(await paidOnChain(scene.sandbox, lines)).toEqual(before);
    const same = await scene.steadfast(...args, '--id', id, '--rates', ratesOf('1.08'));
    expect(same.code).toBe(0);
    expect(await paidOnChain(scene.sandbox, lines)).toEqual(before);
  });

  it('is known under another id, at whatever rate, and refused with --strict', async () => {
    const before = await paidOnChain(scene.sandbox, lines);
    const other = await scene.steadfast(
      ...[...args, '--id', randomUUID(), '--rates', ratesOf('1.09'), '--strict'],
    );
    expect(other.code).toBe(2);
    expect(other.told).toContain(`All 2 lines are those of payout:${id}`);
    expect(other.told).toContain('pays 0.109 USDC (0.1 EUR) to');
    expect(await paidOnChain(scene.sandbox, lines)).toEqual(before);
  });

  it('comes back as its own file, whatever rates count by then', async () => {
    const [, path = ''] = args;
    const { code, told } = await scene.steadfast('payout', 'results', id, '--return', path);
    expect(code).toBe(0);
    expect(told).toContain(',0.10,EUR,paid,0x');
    writeFileSync(scene.path('other.csv'), readFileSync(path, 'utf8').replace('0.10', '0.11'));
    const other = await scene.steadfast(
      ...['payout', 'results', id, '--return', scene.path('other.csv')],
    );
    expect(other.told).toContain('0.11 EUR is not what the payout has: 0.1 EUR at 1.08');
  });
});

describe('a transfer of an amount in a currency', () => {
  const to = someone();
  const id = `transfer:${randomUUID()}`;
  const given = (rate: string, ...more: string[]) =>
    scene.steadfast(
      ...['transfer', '--from', wallet.id, '--to', to, '--amount', '0.50 EUR', '--id', id],
      ...['--token', 'USDC', '--rates', ratesOf(rate), ...more],
    );
  const line = { lineId: 'x', to, amount: '0.54', token: 'USDC' };

  it('shows both amounts in its plan, pays the tokens once, and keeps the exchange', async () => {
    const words = `0.5 EUR at 1.08, the rate of ${yesterday} (ECB), is 0.54 USDC.`;
    const dry = await given('1.08', '--dry-run');
    expect(dry.told).toContain(`→ ${words}`);
    expect(await paidOnChain(scene.sandbox, [line])).toEqual({ x: [] });
    const paid = await given('1.08');
    expect(paid).toMatchObject({ code: 0 });
    expect(paid.told).toContain(words);
    expect(paid.told).toMatch(/exchange rate +1\.08/);
    const onChain = await paidOnChain(scene.sandbox, [line]);
    expect(onChain.x).toHaveLength(1);
    const [receipt] = await scene.receipts(id);
    expect(receipt?.order.exchange).toMatchObject({ amount: '0.5', currency: 'EUR', rate: '1.08' });

    const again = await given('1.09');
    expect(again.code).toBe(2);
    expect(again.told).toContain('amount was "0.54", is "0.545"');
    expect(await paidOnChain(scene.sandbox, [line])).toEqual(onChain);
  });

  it.each([
    [
      ['--amount', '0.50 EUR'],
      '--amount: "0.50 EUR" is in a currency. Give its rates with --rates',
    ],
    [['--amount', '0.50 GBP', '--rates', 'R'], 'has no rate of GBP in USDC.'],
    [['--amount', '0.505 EUR', '--rates', 'R'], '"0.505" has 3 decimals, but EUR has 2.'],
    [['--amount', '0.50', '--rates', 'R'], '--amount: "0.50" names no currency'],
    [['--amount', '0.50', '--rates-day', '2026-01-01'], '--rates-day: has a meaning with --rates'],
    [['--amount', '1 EUR', '--rates', 'R', '--rates-day', '2999-01-01'], 'is in the future'],
    [['--amount', '1 EUR', '--rates', 'R', '--rates-age', '0'], '1 days before'],
    [['--amount', '1 EUR', '--rates', 'none.csv'], 'The rates file none.csv cannot be read'],
  ])('is refused for %j', async (flags, words) => {
    const own = flags.map((flag) => (flag === 'R' ? ratesOf('1.08') : flag));
    const refused = await scene.steadfast(
      ...['transfer', '--from', wallet.id, '--to', to, '--token', 'USDC', '--id', 'transfer:no'],
      ...own,
    );
    expect(refused.code).toBe(2);
    expect(refused.told).toContain(words);
  });
});

describe('a statement in a currency', () => {
  const stated = async (form: string, ...more: string[]) => {
    const out = scene.path(`statement.${form}`);
    const { code, told } = await scene.steadfast(
      ...['statement', '--wallet', wallet.id, '--from', dayOf(Date.now() - dayMs)],
      ...['--format', form, '--out', out, '--rates', ratesOf('1.08'), ...more],
    );
    expect({ code, told }).toMatchObject({ code: 0 });
    return { text: readFileSync(out, 'utf8'), told, out };
  };

  it('values what was paid in it at what was paid', async () => {
    const { text } = await stated('csv');
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const paid = rows.filter(({ row, amount }) => row === 'out' && amount === '0.54');
    expect(paid).toEqual([
      expect.objectContaining({ value: '0.50', valueCurrency: 'EUR', valueRate: '1.08' }),
    ]);
    expect(rows.at(-1)).toMatchObject({ row: 'closing', valueRateDay: yesterday });
  });

  it('leaves a row without a rate without a value, and says so', async () => {
    const { told, text } = await stated('jsonl', '--rates-age', '0');
    expect(told).toMatch(
      /Without a value: 3 rows of EURC\. The first one: .* has no rate of EUR in EURC/,
    );
    expect(told).toMatch(
      /Without a value: \d+ rows of USDC\. The first one: the first rate of EUR in USDC/,
    );
    const rows: { time: string; value?: string }[] = text
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    for (const row of rows) expect(row.value !== undefined).toBe(row.time.startsWith(yesterday));
  });

  it('is a journal with prices that hledger takes', async () => {
    const { text, out } = await stated('hledger');
    expect(text).toContain(`\nP ${yesterday} EUR 1.08 USDC\n`);
    expect(text).toContain('    ; value: 0.50 EUR\n');
    const hledger = hledgerProgram();
    if (hledger === undefined) return;
    expect(hledger('-f', out, 'check', '--strict')).toBe('');
    const worth = hledger('-f', out, 'balance', '-X', 'EUR', 'parties', '--depth', '1', '-N');
    expect(worth).toMatch(/-?\d+\.\d+ EUR/);
  });

  it('is a camt.053 with counter values that the schema allows', async () => {
    for (const version of ['02', '08', '12'] as const) {
      const { text, out } = await stated('camt053', '--camt-version', version);
      expect(text).toContain('<CntrValAmt><Amt Ccy="EUR">0.50</Amt>');
      expect(text).toContain('<XchgRate>1.08</XchgRate>');
      const validate = xsdValidator();
      if (validate === undefined) continue;
      expect(validate(`camt.053.001.${version}`, out)).toBe('valid');
    }
  });

  it('has a form for values, and a currency of the rates', async () => {
    const refused = (...flags: string[]) =>
      scene.steadfast('statement', '--wallet', wallet.id, '--from', yesterday, ...flags);
    const rates = ['--rates', ratesOf('1.08')];
    const bank = await refused(...rates, '--format', 'bank-csv', '--out', scene.path('bank'));
    expect(bank.told).toContain('--rates: bank-csv has no column for values.');
    const other = await refused(...rates, '--value-in', 'CHF');
    expect(other.told).toContain('--value-in: CHF is none of them:');
    const lost = await refused('--value-in', 'EUR');
    expect(lost.told).toContain('--value-in: has a meaning with --rates alone.');
  });
});
