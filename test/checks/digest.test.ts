import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linesDigest } from '../../src/checks/digest';
import { openLines } from '../../src/client/lines/linesFile';
import { survey } from '../../src/client/lines/survey';
import { missingPrograms } from '../support/missingPrograms';
import { seeded } from '../support/seeded';
import { anyAddress } from './corpus';

const scripts = join(__dirname, '../../docs/scripts');
const folder = mkdtempSync(join(tmpdir(), 'steadfast-digest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const draw = seeded(20);
const amounts = ['1', '12.50', '0.4', '100', '1000.000001', '10.0', '0.100', '20'];
const tokens = ['USDC', 'EURC', 'native', '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a'];
const ends = ['\n', '\r\n'];
const headers = [
  ['lineId', 'to', 'amount', 'token'],
  ['token', 'amount', 'name', 'to', 'lineId'],
];

/** A file as the documentation defines it: other columns, line ends and orders each time. */
function fileOf(number: number): string {
  const header = headers[number % headers.length] ?? [];
  const rows = Array.from({ length: 1 + number * 3 }, (_, at) => {
    const values: Record<string, string> = {
      lineId: `line-${at}`,
      to: anyAddress(),
      amount: amounts[draw(amounts.length)] ?? '1',
      token: tokens[draw(tokens.length)] ?? 'USDC',
      name: `Payee ${at}`,
    };
    return header.map((name) => values[name]).join(',');
  });
  const path = join(folder, `${number}.csv`);
  const mark = number % 3 === 0 ? '\ufeff' : '';
  writeFileSync(path, `${mark}${[header.join(','), ...rows].join(ends[number % 2])}\n`);
  return path;
}

async function ofProduct(path: string): Promise<string> {
  const { payments } = await survey(openLines(path, { token: undefined, ignored: new Set() }));
  return linesDigest(payments);
}

const carryOut = promisify(execFile);
const run = async (program: string, script: string, path: string): Promise<string> =>
  (await carryOut(program, [join(scripts, script), path])).stdout.trim();

describe('the digest of lines', () => {
  const programs = missingPrograms(['python3', 'sh', 'awk', 'sha256sum']);

  test('is the same by the product and by both scripts, on twenty files', async () => {
    expect(programs).toEqual([]);
    const seen = new Set<string>();
    for (let number = 0; number < 20; number += 1) {
      const path = fileOf(number);
      const own = await ofProduct(path);
      expect(own).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/);
      const both = [run('python3', 'digest.py', path), run('sh', 'digest.sh', path)];
      expect(await Promise.all(both)).toEqual([own, own]);
      seen.add(own);
    }
    expect(seen.size).toBe(20);
  });

  test('is the same in any order and under any ids, and another for any other payment', () => {
    const [a, b] = [anyAddress(), anyAddress()];
    const one = { to: a, amount: '12.5', token: 'USDC' };
    const other = { to: b, amount: '10', token: 'EURC' };
    const digest = linesDigest([one, other]);
    expect(linesDigest([other, { ...one, to: a.toUpperCase().replace('X', 'x') }])).toBe(digest);
    const others = [
      [one],
      [one, other, other],
      [one, { ...other, amount: '1' }],
      [one, { ...other, amount: '100' }],
      [
        { ...one, to: b },
        { ...other, to: a },
      ],
      [one, { ...other, token: 'USDC' }],
    ];
    expect(new Set([digest, ...others.map(linesDigest)]).size).toBe(7);
  });

  const both = [
    ['python3', 'digest.py'],
    ['sh', 'digest.sh'],
  ] as const;
  const path = join(folder, 'odd.csv');
  const told = (program: string, script: string) =>
    spawnSync(program, [join(scripts, script), path], { encoding: 'utf8' });

  test('is refused by both scripts for a file that they would read otherwise', () => {
    const to = anyAddress();
    const inEuros = `lineId,to,amount,token,currency\n1,${to},1,USDC,EUR\n`;
    const wrong = {
      ...Object.fromEntries(
        ['1;5', '1.', '-1', '1e3', '01', '1\u00a0'].map((amount) => [
          `the amount ${amount}`,
          `lineId,to,amount,token\n1,${to},${amount},USDC\n`,
        ]),
      ),
      'no column of tokens': `lineId,to,amount\n1,${to},1\n`,
      'no column of addresses': 'lineId,amount,token\n1,1,USDC\n',
      'no column of amounts': `lineId,to,token\n1,${to},USDC\n`,
      'two columns of amounts': `to,amount,amount,token\n${to},1,2,USDC\n`,
      'amounts in a currency': inEuros,
      'amounts in a payment currency': inEuros.replace('currency', 'Payment Currency'),
      'carriage returns alone': `lineId,to,amount,token\r1,${to},1,USDC\r`,
      'a carriage return within an amount': `to,amount,token\n${to},1\r2,USDC\n`,
      'a blank of no ASCII behind a token': `to,amount,token\n${to},1,USDC\u00a0\n`,
      'an amount with a comma': `to,amount,token\n${to},1,500.00,USDC\n`,
      'no lines': 'lineId,to,amount,token\n',
      'no bytes': '',
      semicolons: `to;amount;token\n${to};1;USDC\n`,
    };
    const outcomes = Object.entries(wrong).flatMap(([about, text]) => {
      writeFileSync(path, text);
      return both.map(([program, script]) => {
        const { status, stdout, stderr } = told(program, script);
        const isSentence = /^[^\n]*\w[^\n]*\n$/.test(stderr);
        return status !== 0 && stdout === '' && isSentence ? 'refused' : `${script}: ${about}`;
      });
    });
    expect([...new Set(outcomes)]).toEqual(['refused']);
  });

  test('is the same with blanks in the header, and with rows that have nothing', async () => {
    const to = anyAddress();
    writeFileSync(path, `lineId , to,amount , token,\n,,,\n1, ${to} , 1.50,USDC,\n ,,\n\n`);
    const own = await ofProduct(path);
    expect(both.map(([program, script]) => told(program, script).stdout.trim())).toEqual([
      own,
      own,
    ]);
  });

  test('has scripts of at most thirty lines', () => {
    for (const name of ['digest.py', 'digest.sh']) {
      expect(readFileSync(join(scripts, name), 'utf8').trim().split('\n').length).toBeLessThan(31);
    }
  });
});
