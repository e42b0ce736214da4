import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { converter } from '../../../src/books/rates/convert';
import { findRate } from '../../../src/books/rates/rates';
import { RatesError, readRatesFile } from '../../../src/books/rates/readRatesFile';
import { newFolder } from '../../support/jest/setUp';

const folder = newFolder();

const nowMs = Date.parse('2026-01-30T12:00:00Z');
const head = 'date,currency,token,rate';

function read(text: string | Buffer, { name = 'rates.csv', daysMax = 7 } = {}) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readRatesFile(path, { nowMs, daysMax });
}

function refusal(text: string | Buffer, name?: string): string {
  try {
    read(text, name === undefined ? {} : { name });
  } catch (error) {
    if (error instanceof RatesError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
  throw new Error(`Accepted: ${text}`);
}

const pair = { currency: 'EUR', token: 'USDC' };
const rows = ['2026-01-29,EUR,USDC,1.0812', '2026-01-30,EUR,USDC,1.0900'];

describe('a file of rates is read as what it says', () => {
  it.each([
    ['plain CSV', 'a.csv', [head, ...rows].join('\n')],
    [
      'a byte order mark and Windows line ends',
      'a.csv',
      `\ufeff${[head, ...rows, ''].join('\r\n')}`,
    ],
    [
      'semicolons, and rows in any order',
      'a.csv',
      [head, ...rows.toReversed()].join('\n').replaceAll(',', ';'),
    ],
    [
      'comments, blank rows, other letters',
      'a.csv',
      ['# ECB', 'Date,Currency,Token,Rate', '', ...rows].join('\n'),
    ],
    ['a YAML list', 'a.yaml', rows.map(inYaml).join('\n')],
    [
      'a YAML list in quotes',
      'a.yml',
      `\ufeff${rows.map(inYaml).join('\n').replace('1.0812', '"1.0812"')}`,
    ],
  ])('%s', (_, name, text) => {
    const rates = read(text, { name });
    expect(rates.ratesOf(pair)).toEqual([
      { day: '2026-01-29', rate: '1.0812' },
      { day: '2026-01-30', rate: '1.0900' },
    ]);
    expect(rates.currencies).toEqual(['EUR']);
  });

  it('with the source of a rate, and a rate that no double can hold', () => {
    const exact = '1.000000000000000001';
    const rates = read(`${head},source,note\n2026-01-30,EUR,USDC,${exact},ECB,by hand\n`);
    expect(rates.ratesOf(pair)).toEqual([{ day: '2026-01-30', rate: exact, source: 'ECB' }]);
    const yaml = `- {date: 2026-01-30, currency: EUR, token: USDC, rate: ${exact}}`;
    expect(read(yaml, { name: 'a.yaml' }).ratesOf(pair)[0]?.rate).toBe(exact);
  });

  it('under every face of a token', () => {
    const rates = read([head, rows[0]].join('\n'));
    for (const token of ['USDC', 'native', '0x3600000000000000000000000000000000000000']) {
      expect(rates.ratesOf({ currency: 'EUR', token })).toHaveLength(1);
    }
    expect(rates.ratesOf({ currency: 'EUR', token: 'EURC' })).toEqual([]);
  });
});

function inYaml(row: string): string {
  const [date, currency, token, rate] = row.split(',');
  return `- {date: ${date}, currency: ${currency}, token: ${token}, rate: ${rate}}`;
}

describe('a file of rates is refused', () => {
  it.each([
    ['2026-01-30,EUR,USDC,0', 'row 2, column rate: "0" is no rate.'],
    ['2026-01-30,EUR,USDC,0.000', 'row 2, column rate: "0.000" is no rate.'],
    ['2026-01-30,EUR,USDC,-1.08', 'row 2, column rate: "-1.08" is no rate.'],
    ['2026-01-30,EUR,USDC,+1.08', 'row 2, column rate: "+1.08" is no rate.'],
    [
      '2026-01-30,EUR,USDC,1.08e0',
      'row 2, column rate: "1.08e0" is a number that a program has shortened.',
    ],
    ['2026-01-30,EUR,USDC,NaN', 'row 2, column rate: "NaN" is no rate.'],
    ['2026-01-30,EUR,USDC,Infinity', 'row 2, column rate: "Infinity" is no rate.'],
    [
      '2026-01-30,EUR,USDC,"1,08"',
      'row 2, column rate: "1,08" has a comma: write "1.08", if that is meant.',
    ],
    ['2026-01-30,EUR,USDC,1000000000000', 'row 2, column rate: "1000000000000" is no rate.'],
    ['2026-01-30,EUR,USDC,1.0000000000000000001', 'is no rate. Give plain digits above zero'],
    ['2026-01-30,EUR,USDC,', 'row 2, column rate: is empty. Fill it in.'],
    ['2026-01-30,EUR,USDC', 'row 2, column rate: is empty. Fill it in.'],
    ['2026-01-30,EUR,USDC,1,08', 'row 2: has 5 values, for 4 columns.'],
    ['2026-01-30,eur,USDC,1.08', 'row 2, column currency: "eur" is no currency of ISO 4217'],
    ['2026-01-30,EUR,USD,1.08', 'row 2, column token: "USD" is not a known token'],
    [
      '30.01.2026,EUR,USDC,1.08',
      'row 2, column date: "30.01.2026" is no day. Write it as 2026-01-31.',
    ],
    ['2026-02-30,EUR,USDC,1.08', 'row 2, column date: "2026-02-30" is no day.'],
    [
      '2026-02-01,EUR,USDC,1.08',
      'row 2, column date: "2026-02-01" is in the future, and has no rate yet.',
    ],
    [
      `${rows[0]}\n${rows[0]}`,
      'row 3: 2026-01-29 has a rate of EUR in USDC in row 2 too. Leave one.',
    ],
    [
      `${rows[0]}\n2026-01-29,EUR,native,1.2`,
      'row 3: 2026-01-29 has a rate of EUR in native in row 2 too.',
    ],
  ])('%s', (row, words) => {
    expect(refusal(`${head}\n${row}\n`)).toContain(words);
    expect(refusal(`${head}\n${row}\n`)).toContain('The rates file rates.csv has faults:');
  });

  it('where it leaps from one day to the next', () => {
    const spoilt = refusal([head, rows[0], '2026-01-30,EUR,USDC,10790'].join('\n'));
    expect(spoilt).toContain(
      'row 3, column rate: "10790" is more than twice "1.0812" of 2026-01-29, in row 2. Correct ' +
        'the wrong one, or take it out. If both are right, leave out the days before.',
    );
    const low = refusal([head, '2026-01-30,EUR,USDC,0.5', rows[0]].join('\n'));
    expect(low).toContain('row 2, column rate: "0.5" is less than half of "1.0812" of 2026-01-29');
    const others = [head, ...rows, '2026-01-30,JPY,USDC,0.0065', '2026-01-30,EUR,EURC,3'];
    expect(read(others.join('\n')).currencies).toEqual(['EUR', 'JPY']);
  });

  it.each([
    ['10.790', 'may mean "10790" or "10.79": write one of these.'],
    ['1.081', 'may mean "1081" or "1.0810": write one of these.'],
  ])('with %s, where commas are for decimals', (rate, words) => {
    const text = `${head}\n2026-01-30,EUR,USDC,${rate}`;
    for (const mark of [';', '\t']) {
      expect(refusal(text.replaceAll(',', mark))).toContain(`column rate: "${rate}" ${words}`);
    }
    expect(read(text).currencies).toEqual(['EUR']);
  });

  it.each([
    ['date,currency,token\n', 'rates.csv', 'the first row names no column rate.'],
    [`${head},rate\n${rows[0]},2`, 'rates.csv', 'the first row names the column "rate" twice.'],
    [`${head},pair\n${rows[0]},x`, 'rates.csv', 'column "pair": is no field of a rate.'],
    [`${head}\n`, 'rates.csv', 'The rates file rates.csv holds no rates.'],
    [head, 'rates.txt', 'The rates file rates.txt is neither .csv nor .yaml.'],
    ['date: 2026-01-30', 'rates.yaml', 'The rates file rates.yaml is no list.'],
    ['- [', 'rates.yaml', 'The rates file rates.yaml is malformed:'],
    [`${head}\n"`, 'rates.csv', 'The rates file rates.csv is malformed:'],
    [Buffer.from([0x64, 0xff, 0x0a]), 'rates.csv', 'The rates file rates.csv is not UTF-8.'],
  ])('%j in %s', (text, name, words) => {
    expect(refusal(text, name)).toContain(words);
  });

  it('if it is not there', () => {
    expect(() => readRatesFile(join(folder, 'none.csv'), { nowMs, daysMax: 7 })).toThrow(
      'cannot be read',
    );
  });

  it('but not for a day that has begun in the east', () => {
    const late = Date.parse('2026-01-30T10:00:00Z');
    const path = join(folder, 'east.csv');
    writeFileSync(path, `${head}\n2026-01-31,EUR,USDC,1.08\n`);
    expect(readRatesFile(path, { nowMs: late, daysMax: 7 }).currencies).toEqual(['EUR']);
  });
});

describe('the rate of a day', () => {
  const rates = read([head, '2026-01-16,EUR,USDC,1.07', '2026-01-22,EUR,USDC,1.08'].join('\n'));

  it.each([
    ['2026-01-16', '1.07'],
    ['2026-01-21', '1.07'],
    ['2026-01-22', '1.08'],
    ['2026-01-29', '1.08'],
  ])('%s is the newest one that is not later', (day, rate) => {
    expect(findRate(rates, pair, day)).toMatchObject({ rate: { rate } });
  });

  it.each([
    ['2026-01-30', 'is of 2026-01-22, 8 days before 2026-01-30, and counts for 7.'],
    ['2026-01-15', 'is of 2026-01-16, after 2026-01-15.'],
  ])('%s has none, and the file and the way out are named', (day, words) => {
    const found = findRate(rates, pair, day);
    expect(found).toMatchObject({ fault: expect.stringContaining(words) });
    expect(found).toMatchObject({ fault: expect.stringContaining(rates.path) });
    const way = `Add a row such as ${day},EUR,USDC,<rate>.`;
    expect(found).toMatchObject({ fault: expect.stringContaining(way) });
  });

  it('is never turned round, and never borrowed from another pair', () => {
    expect(findRate(rates, { currency: 'USD', token: 'USDC' }, '2026-01-22')).toMatchObject({
      fault: expect.stringContaining('has no rate of USD in USDC.'),
    });
  });
});

describe('a line that names no token', () => {
  it('gets the only one that its currency has rates in', () => {
    const convert = converter(read([head, rows[1]].join('\n')), '2026-01-30');
    expect(convert({ amount: '10', currency: 'EUR', token: undefined })).toMatchObject({
      amount: '10.9',
      token: 'USDC',
    });
  });

  it('is refused where there are several', () => {
    const two = read([head, rows[1], '2026-01-30,EUR,EURC,1'].join('\n'));
    const convert = converter(two, '2026-01-30');
    expect(convert({ amount: '10', currency: 'EUR', token: undefined })).toMatchObject({
      field: 'token',
      fault: expect.stringContaining('has rates of EUR in USDC and EURC. Name one.'),
    });
  });
});
