import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { filesOfLines, other, to } from '../../client/lines/linesOf';
import { runCli } from '../runCli';

const files = filesOfLines();
afterAll(files.remove);

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
const script = join(__dirname, '../../../docs/scripts/digest.py');
const ofScript = (path: string): string =>
  execFileSync('python3', [script, path], { encoding: 'utf8' }).trim();

/** The digest that the product tells of a file, with nothing around it that it could reach. */
async function ofProduct(...words: string[]): Promise<string> {
  const { code, stdout } = await runCli(['payout', 'digest', ...words]);
  expect(code).toBe(0);
  return stdout.trim();
}

const plain = files.write(
  'plain.csv',
  `lineId,to,amount,token\na,${to},1080,USDC\nb,${other},5.50,USDC\n`,
);
const mapped = files.write(
  'mapped.csv',
  `Nr;Wallet Address;Betrag;Abteilung\nb;${other};5.50;IT\na;${to.toLowerCase()};1080.00;IT\n`,
);
const columns = [
  '--map',
  'lineId=Nr',
  '--map',
  'to=Wallet Address',
  '--map',
  'amount=Betrag',
].concat(['--ignore', 'Abteilung', '--token', 'USDC']);
const inEuros = files.write(
  'euros.csv',
  `lineId,to,amount,currency,token\na,${to},1000,EUR,USDC\nb,${other},5.5,USDC,USDC\n`,
);
const rates = files.write('rates.csv', 'date,currency,token,rate\n2026-01-30,EUR,USDC,1.08\n');
const rated = ['--rates', rates, '--rates-day', '2026-01-30'];

const lines = [
  { lineId: 'a', to, amount: '1080', token: 'USDC' },
  { lineId: 'b', to: other, amount: '5.50', token: 'USDC' },
];
const list = files.write('list.json', `\ufeff ${JSON.stringify(lines)}`);
const order = files.write(
  'order.json',
  JSON.stringify({ payoutId: 'jan', wallets: [wallet], lines }),
);

describe('the digest of a file that the scripts refuse', () => {
  it('is told by the product alone, with the columns and the rates of the payout', async () => {
    const own = ofScript(plain);
    expect(await ofProduct(plain)).toBe(own);
    expect(await ofProduct(mapped, ...columns)).toBe(own);
    expect(await ofProduct(inEuros, ...rated)).toBe(own);
    expect(await ofProduct(list)).toBe(own);
    expect(await ofProduct(order)).toBe(own);
  });

  it('is the one that the plan of the payout shows', async () => {
    for (const words of [
      [mapped, ...columns],
      [inEuros, ...rated],
    ]) {
      const dry = ['--id', 'jan', '--wallet', wallet, '--dry-run', '--json'];
      const planned = await runCli(['payout', ...words, ...dry]);
      expect(JSON.parse(planned.stdout)).toMatchObject({ digest: await ofProduct(...words) });
    }
  });

  it('is another one at another rate, and is told with the sums and the rates', async () => {
    const higher = files.write(
      'higher.csv',
      'date,currency,token,rate\n2026-01-30,EUR,USDC,1.09\n',
    );
    const words = ['payout', 'digest', inEuros, '--rates', higher, '--rates-day', '2026-01-30'];
    const { stdout, stderr } = await runCli(words);
    expect(stdout.trim()).not.toBe(await ofProduct(inEuros, ...rated));
    expect(stderr).toContain('1095.5 USDC in 2 lines');
    expect(stderr).toContain('1 EUR = 1.09 USDC, the rate of 2026-01-30');
    const asJson = await runCli([...words, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      lines: 2,
      totals: [{ token: 'USDC', amount: '1095.5' }],
      digest: stdout.trim(),
    });
  });

  it('is refused for columns that are not mapped, and for a file that is not there', async () => {
    const unmapped = await runCli(['payout', 'digest', mapped]);
    expect(unmapped).toMatchObject({ code: 2, stdout: '' });
    expect(unmapped.stderr).toMatch(/^Error: FILE: /);
    const absent = await runCli(['payout', 'digest', join(files.folder, 'none.csv')]);
    expect(absent).toMatchObject({ code: 2, stdout: '' });
  });
});
