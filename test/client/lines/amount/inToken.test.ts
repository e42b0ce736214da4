import { converter } from '../../../../src/books/rates/convert';
import { readRatesFile } from '../../../../src/books/rates/readRatesFile';
import { payoutIdFor } from '../../../../src/client/lines/survey';
import { pain, payment, transfer } from '../../../system/field/painOf';
import { filesOfLines, other, to } from '../linesOf';

const files = filesOfLines();
afterAll(files.remove);

const day = '2026-01-30';
const nowMs = Date.parse(`${day}T12:00:00Z`);

function ratesOf(...rows: string[]) {
  const text = ['date,currency,token,rate,source', ...rows].join('\n');
  return converter(readRatesFile(files.write('rates.csv', text), { nowMs, daysMax: 7 }), day);
}

const convert = ratesOf('2026-01-29,EUR,USDC,1.0812,ECB', '2026-01-30,CHF,USDC,1.1,');
const exchange = {
  amount: '1200',
  currency: 'EUR',
  rate: '1.0812',
  day: '2026-01-29',
  source: 'ECB',
};
const header = 'lineId,to,amount,currency';

describe('lines in a currency are read in their token', () => {
  const euros = { lineId: 'a-1', to, amount: '1297.44', token: 'USDC', exchange };
  it.each([
    ['by a column', 'a.csv', `${header}\na-1,${to},1200.00,EUR\n`, {}],
    ['by columns of both', 'a.csv', `${header},token\na-1,${to},1200,EUR,USDC\n`, {}],
    ['by --currency', 'a.csv', `lineId,to,amount\na-1,${to},1200\n`, { currency: 'EUR' }],
    [
      'by --currency and --token',
      'a.csv',
      `lineId,to,amount\na-1,${to},1200\n`,
      { currency: 'EUR', token: 'USDC' },
    ],
    [
      'by a mapped column',
      'a.csv',
      `lineId,to,amount,Ccy\na-1,${to},1200,EUR\n`,
      { map: ['currency=Ccy'] },
    ],
    ['by a column Ccy', 'a.csv', `lineId,to,amount,Ccy\na-1,${to},1200,EUR\n`, {}],
    [
      'in JSON',
      'a.json',
      JSON.stringify([{ lineId: 'a-1', to, amount: '1200.00', currency: 'EUR' }]),
      {},
    ],
  ])('%s', async (_, name, text, options) => {
    const read = await files.read(name, text, { ...options, convert });
    expect(read.all).toEqual([euros]);
    expect(read.totals).toEqual([{ token: 'USDC', lines: 1, amount: '1297.44' }]);
    const { amount: asked, ...rate } = exchange;
    const sum = { ...rate, lines: 1, asked, token: 'USDC', paid: '1297.44' };
    expect(read.exchanges).toEqual([sum]);
  });

  it('beside lines in a token', async () => {
    const text = `${header}\na-1,${to},1200,EUR\na-2,${other},5,USDC\na-3,${other},2,CHF\n`;
    const { all, exchanges } = await files.read('a.csv', text, { convert });
    expect(all.map(({ amount, token }) => `${amount} ${token}`)).toEqual([
      '1297.44 USDC',
      '5 USDC',
      '2.2 USDC',
    ]);
    expect(all[1]?.exchange).toBeUndefined();
    expect(exchanges.map(({ currency, paid }) => [currency, paid])).toEqual([
      ['EUR', '1297.44'],
      ['CHF', '2.2'],
    ]);
  });

  it('in a pain.001, where a currency then stands for no token by itself', async () => {
    const dollars = pain(payment({ transfers: transfer({ amount: '1200' }) }));
    const text = dollars.replace('"USD"', '"EUR"');
    const { all } = await files.read('a.xml', text, { convert });
    expect(all).toEqual([expect.objectContaining({ amount: '1297.44', token: 'USDC', exchange })]);
    const own = text.replace('"EUR"', '"XXX"');
    const kept = await files.read('a.xml', own, { convert, token: 'USDC', currency: 'EUR' });
    expect(kept.all).toMatchObject([{ amount: '1200', token: 'USDC' }]);
    expect(kept.exchanges).toEqual([]);
    const [, fault] = await files.refusal('a.xml', dollars, { convert });
    expect(fault).toMatch(/rates\.csv has no rate of USD\. It has rates of EUR, CHF\.$/);
  });
});

describe('lines in a currency are refused', () => {
  it.each([
    ['EUR', '1.200,00', 'has points between thousands: write "1200.00".'],
    ['EUR', '12.345', 'may mean "12345" or "12.3450": write one of these.'],
    ['EUR', '0', '"0" must be more than zero.'],
    ['eur', '1', '"eur" is no currency of ISO 4217 and no token: give such as "EUR".'],
    ['GBP', '1', 'rates.csv has no rate of GBP. It has rates of EUR, CHF.'],
    ['', '1', 'column currency: is empty: say what the amount is in'],
  ])('%s %s', async (currency, amount, words) => {
    const text = `${header},token\na-1,${to},"${amount}",${currency},\n`;
    const refusal = await files.refusal('a.csv', text, { convert });
    expect(refusal.join('\n')).toContain('row 2, column');
    expect(refusal.join('\n')).toContain(words);
  });

  it('where the name of the amounts has another unit, or the token is another one', async () => {
    const unit = `lineId,to,Amount (USDC),currency\na-1,${to},1200,EUR\n`;
    expect(await files.refusal('a.csv', unit, { convert })).toContain(
      `row 2, column currency: "EUR" is not USDC, which the name of the amounts' column says.`,
    );
    const token = `${header},token\na-1,${to},1200,EURC,USDC\n`;
    expect(await files.refusal('a.csv', token, { convert })).toContain(
      'row 2, column currency: "EURC" is not "USDC", the token of the line. Nothing exchanges them.',
    );
  });

  const unnamed =
    'is empty: say what the amount is in, a currency or the token itself. --currency is for all ' +
    'lines that name none.';
  it('where rates are given, and a line says nowhere what its amount is in', async () => {
    const empty = `${header},token\na-1,${to},150000,,USDC\na-2,${to},1,USDC,\n`;
    const [, ...faults] = await files.refusal('a.csv', empty, { convert });
    expect(faults).toEqual([`row 2, column currency: ${unnamed}`]);
    const json = JSON.stringify([{ lineId: 'a-1', to, amount: '1200.00', token: 'USDC' }]);
    expect(await files.refusal('a.json', json, { convert })).toContain(
      `row 1, column currency: ${unnamed}`,
    );
    const bare = `lineId,to,amount\na-1,${to},1200\n`;
    expect(await files.refusal('a.csv', bare, { convert, token: 'USDC' })).toContain(
      `row 2, column currency: ${unnamed}`,
    );
  });

  it('where the name of the amounts has a currency that nobody converts', async () => {
    const own = (column: string) => `lineId,to,${column},token\na-1,${to},1200,USDC\n`;
    const cases = [
      ['Amount (EUR)', 'EUR'],
      ['amount_eur', 'EUR'],
      ['payAmountGbp', 'GBP'],
      ['Net €', 'EUR'],
    ] as const;
    for (const [column, code] of cases) {
      const map = [`amount=${column}`];
      const refusal = await files.refusal('a.csv', own(column), { map });
      expect(refusal.join('\n')).toContain(
        `says that its amounts are in ${code}, which is no token. Give --rates and ` +
          `--currency ${code}, or a column of currencies.`,
      );
      const other = { map, convert, currency: 'CHF' };
      expect((await files.refusal('a.csv', own(column), other)).join('\n')).toContain(
        `row 2, column currency: "CHF" is not ${code}, which the name of the amounts' column says.`,
      );
    }
    const map = ['amount=Amount (EUR)'];
    const read = await files.read('a.csv', own('Amount (EUR)'), { map, convert, currency: 'EUR' });
    expect(read.all).toMatchObject([{ amount: '1297.44', exchange }]);
    expect(await files.refusal('a.csv', own('Amount (EUR)'), { map, convert })).toContain(
      `row 2, column currency: ${unnamed}`,
    );
  });

  it('where a column of currencies is in the way, with words about its risk', async () => {
    const text = `lineId,to,amount,token,Curr\na-1,${to},1200,USDC,EUR\n`;
    const refusal = await files.refusal('a.csv', text);
    expect(refusal.join('\n')).toContain('column Curr may change what the amounts mean.');
  });

  it('where nobody gives rates, as before', async () => {
    const refusal = await files.refusal('a.csv', `${header}\na-1,${to},1200,EUR\n`);
    expect(refusal.join('\n')).toContain(
      'row 2, column currency: "EUR" is a currency, and no token. Amounts in a currency need --rates.',
    );
  });
});

it('the id of a payout is the same at other rates, and another one for another amount', async () => {
  const text = `${header}\na-1,${to},1200,EUR\na-2,${other},5,USDC\n`;
  const ids = await Promise.all(
    [convert, ratesOf('2026-01-30,EUR,USDC,2')].map(async (one) => {
      const read = await files.read('a.csv', text, { convert: one });
      return [payoutIdFor(['w'], read), read.totals[0]?.amount];
    }),
  );
  expect(ids.map(([, amount]) => amount)).toEqual(['1302.44', '2405']);
  expect(ids[0]?.[0]).toBe(ids[1]?.[0]);
  const more = await files.read('a.csv', text.replace('1200', '1201'), { convert });
  expect(payoutIdFor(['w'], more)).not.toBe(ids[0]?.[0]);
});
