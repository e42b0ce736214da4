import { filesOfLines, other, to } from '../../client/lines/linesOf';
import { runCli } from '../runCli';

const files = filesOfLines();
afterAll(files.remove);

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
/** Nothing listens there. A command that asks Temporal before it checks its input says so. */
const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

const csv = files.write('jan.csv', `id,to,amount,token\na,${to},5.50,USDC\nb,${other},6,USDC\n`);
const alike = files.write('alike.csv', `id,to,amount\na,${to},5\nb,${to},5.0\n`);
const line = { lineId: 'a', to, amount: '5.50', token: 'USDC' };
const order = files.write('order.json', JSON.stringify({ wallets: [wallet], lines: [line] }));
const bare = files.write('bare.yaml', `payoutId: january\nwallets:\n  - ${wallet}\n`);
const payout = ['payout', csv, '--id', 'jan', '--wallet', wallet];

/** The refusal of a command line, before it connects. */
async function refusal(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, env);
  expect({ args, code }).toEqual({ args, code: 2 });
  if (!args.includes('--json')) expect(stdout).toBe('');
  expect(stderr).toMatch(/^Error: /);
  return stderr.slice('Error: '.length).trimEnd().replaceAll(files.folder, '<folder>');
}

async function refusals(rows: readonly string[][]): Promise<string[]> {
  return Promise.all(rows.map(refusal));
}

it('a payout with flags that are wrong', async () => {
  const rows = [
    ['payout', csv, '--wallet', wallet],
    ['payout', csv, '--id', 'jan'],
    [...payout, '--id', 'jan 1'],
    [...payout, '--id', 'payout:'],
    [...payout, '--id', 'payout:payout:jan'],
    [...payout, '--id', 'x'.repeat(65)],
    [...payout, '--wallet', 'till', '--wallet', wallet],
    [...payout, '--token', 'usdc'],
    ...['1000', 'USDC', 'USDC=', '=5', 'USDC=5=6'].map((max) => [...payout, '--max-total', max]),
    [...payout, '--max-total', 'USDC=5', '--max-total', 'USDC=6'],
    [...payout, '--max-total', 'DAI=5', '--max-total', 'USDC=-1'],
    [...payout, '--max-total', 'EURC=1,USDC=11.49'],
    [...payout, '--reserve', '-1'],
    ...['fast', '0', '-1', '10001', '1e3'].map((rate) => [...payout, '--rate', rate]),
    [...payout, '--fee-level', 'fast', '--valid-until', 'tomorrow'],
    [...payout, '--timeout', '5'],
    [...payout, '--lines', csv],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "--id: is missing. Without a terminal, give an id of your own, such as payout:invoice-1: started again under the same id, an order is not carried out twice.",
  "--wallet: is missing. Give --wallet <id>, a wallet that pays.",
  "--id: "jan 1" must be 1 to 64 letters, digits and . _ : -.",
  "--id: "" must be 1 to 64 letters, digits and . _ : -.",
  "--id: "payout:jan" begins with "payout:", which is put in front by itself. Leave that out, or give an id that begins in another way.",
  "--id: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" must be 1 to 64 letters, digits and . _ : -.",
  "--wallet: "till" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17". --wallet: "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17" is in the list twice.",
  "--token: "usdc" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
  "--max-total: "1000" must be a token and an amount, such as USDC=1000.",
  "--max-total: "USDC" must be a token and an amount, such as USDC=1000.",
  "--max-total: "USDC=" must be a token and an amount, such as USDC=1000.",
  "--max-total: "=5" must be a token and an amount, such as USDC=1000.",
  "--max-total: "USDC=5=6" must be a token and an amount, such as USDC=1000.",
  "--max-total: "USDC" is given twice. Give each token once.",
  "--max-total DAI: "5" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract. --max-total USDC: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "--max-total: the lines come to 11.5 USDC, which is over 11.49.",
  "--reserve: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "--rate: "fast" must be a number.",
  "--rate: 0 must be at least 0.01.",
  "--rate: "-1" must be a number.",
  "--rate: 10001 must be at most 10000.",
  "--rate: "1e3" must be a number.",
  "--fee-level: "fast" must be one of LOW, MEDIUM, HIGH. --valid-until: "tomorrow" must be a moment such as "2026-01-31T12:00:00Z".",
  "--timeout: "5" is not a duration: give 90s, 10m or 2h.",
  "--lines: is not a flag here. See npx --no-install steadfast payout --help.",
]
`);
});

it('a payout with files that do not go together', async () => {
  const by = ['--id', 'jan', '--wallet', wallet];
  const rows = [
    ['payout', ...by],
    ['payout', '--file', bare],
    ['payout', files.folder, ...by],
    ['payout', csv, ...by, '--file', csv],
    ['payout', csv, ...by, '--file', order],
    ['payout', order, ...by],
    ['payout', csv, alike, ...by],
    ['payout', alike, ...by],
    ['payout', alike, ...by, '--token', 'USDC', '--strict'],
    ['payout', '--file', alike, ...by],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "FILE: is missing. Give the lines as .csv, .jsonl or .json.",
  "FILE: is missing. Give the lines as .csv, .jsonl or .json.",
  "FILE: <folder> is neither .csv, .jsonl, .json nor .xml. Name it after its form.",
  "--file: <folder>/jan.csv holds lines, as does <folder>/jan.csv. Give one of them.",
  "FILE: the order in --file has lines, as has <folder>/jan.csv. Give one of them.",
  "FILE: <folder>/order.json has a fault:
  row 1: holds no list. Lines are [{"lineId": "a-1", "to": "0x…", "amount": "12.50", …}, …].",
  "Too many arguments for 'payout'. Expected 1 argument but got 2. See npx --no-install steadfast payout --help.",
  "FILE: <folder>/alike.csv has a fault:
  row 1: there is no column token. Add it, or give --token USDC where all lines have the same.",
  "--strict: the checks have found something:
  Line "b" pays 5 USDC to 0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d, as "a" does. (twice)
  Correct it, or leave --strict out if all of it is meant.",
  "FILE: <folder>/alike.csv has a fault:
  row 1: there is no column token. Add it, or give --token USDC where all lines have the same.",
]
`);
});

it('what is asked of a payout that cannot be', async () => {
  const rows = [
    ['payout', 'results'],
    ['payout', 'results', 'jan 1'],
    ['payout', 'results', 'jan', '--csv', 'a.csv', '--jsonl'],
    ['payout', 'results', 'jan', '--json', '--jsonl'],
    ['payout', 'retry'],
    ['payout', 'retry', 'jan', '--timeout', 'soon'],
    ['payout', 'skip', 'jan', '--reason', 'why'],
    ['payout', 'skip', 'jan', 'a-1'],
    ['payout', 'skip', 'jan', 'a-1', '--reason', ' '],
    ['payout', 'rate', 'jan'],
    ...['fast', '0', '0.001', '10001', ''].map((rate) => ['payout', 'rate', 'jan', rate]),
    ['payout', 'rate', 'jan', '5', '--strict'],
    ['payout', 'rate', '--yes', 'jan', '5'],
    ['payout', 'results', 'jan', '--file', csv],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "<id>: is missing. See npx --no-install steadfast payout results --help.",
  "id: "jan 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "--csv and --jsonl: are different forms. Give one of them.",
  "--json and --jsonl: are different forms. Give one of them.",
  "<id>: is missing. See npx --no-install steadfast payout retry --help.",
  "--timeout: "soon" is not a duration: give 90s, 10m or 2h.",
  "<lineIds>: is missing. See npx --no-install steadfast payout skip --help.",
  "--reason: is missing: give --reason <text>. See npx --no-install steadfast payout skip --help.",
  "--reason: is empty. Say why, for whoever reads this later.",
  "<lines>: is missing. See npx --no-install steadfast payout rate --help.",
  "rate: "fast" must be lines in a second, from 0.01 to 10000, or off.",
  "rate: "0" must be lines in a second, from 0.01 to 10000, or off.",
  "rate: "0.001" must be lines in a second, from 0.01 to 10000, or off.",
  "rate: "10001" must be lines in a second, from 0.01 to 10000, or off.",
  "rate: "" must be lines in a second, from 0.01 to 10000, or off.",
  "--strict: is not a flag here. See npx --no-install steadfast payout rate --help.",
  "--yes: is not a flag here. See npx --no-install steadfast payout rate --help.",
  "--file: is not a flag here. See npx --no-install steadfast payout results --help.",
]
`);
});

it('a file that is not there', async () => {
  const path = `${files.folder}/nowhere.csv`;
  const { code, stderr } = await runCli([...payout.with(1, path)], env);
  const reason = 'it is not there';
  expect(stderr).toBe(`Error: FILE: ${path} cannot be read: ${reason}.\n`);
  expect(code).toBe(2);
});

describe('a payout that is right is told before anything is connected to', () => {
  it('with its totals, what is alike in it, and the id that it has either way', async () => {
    const args = ['payout', alike, '--wallet', wallet, '--token', 'USDC', '--dry-run'];
    const [own, workflows] = await Promise.all(
      ['jan', 'payout:jan'].map((id) => runCli([...args, '--id', id], env)),
    );
    expect(own).toEqual(workflows);
    expect(own).toMatchObject({ code: 0, stdout: '' });
    expect(own?.stderr.replace(', otherName', ',\n  otherName')).toMatchInlineSnapshot(`
"payout:jan pays 2 lines from 1 wallet:
  10 USDC in 2 lines
  digest of the lines: 22f2-bf47-564a-501f-2c13-98a9-7de4-bd27
  ! Line "b" pays 5 USDC to 0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d, as "a" does. (twice)
  5 checks, without newPayee, otherAddress,
  otherName, paidBefore, otherPayout, farTotal, farAmount, ownWallet
Dry run: nothing was handed over.
"
`);
  });

  it('without a column that is left alone, though its name has a comma', async () => {
    const text = `id,to,amount,token,"Straße, Nr.",Ort\na,${to},1,USDC,"Am Weg, 1",Bonn\n`;
    const ignore = ['--ignore', 'Straße, Nr.', '--ignore', 'Ort'];
    const dryRun = (name: string, table: string) =>
      runCli([...payout.with(1, files.write(name, table)), ...ignore, '--dry-run'], env);
    expect(await dryRun('street.csv', text)).toMatchObject({ code: 0 });
    const besides = text.replace('Ort', 'Ort,Straße').replace('Bonn', 'Bonn,Weg');
    const { code, stderr } = await dryRun('streets.csv', besides);
    expect(stderr).toContain('column "Straße" has no place here');
    expect(code).toBe(2);
  });

  it('from an order with lines in it, and as one document', async () => {
    const args = ['payout', '--file', order, '--id', 'jan', '--dry-run', '--json'];
    const { code, stdout } = await runCli(args, env);
    expect(JSON.parse(stdout)).toEqual({
      id: 'payout:jan',
      dryRun: true,
      lines: 1,
      digest: 'c401-4385-c85e-5742-62bc-1c7b-24ae-3ec1',
      checks: { findings: [], leftOut: expect.any(Array), ran: expect.any(Array) },
      totals: [{ token: 'USDC', lines: 1, amount: '5.5' }],
    });
    expect(code).toBe(0);
  });

  it('refused with rates for lines of an order, which are in tokens alone', async () => {
    const path = files.write('rates.csv', 'date,currency,token,rate\n2026-01-30,EUR,USDC,1.08\n');
    const args = ['payout', '--file', order, '--id', 'jan', '--dry-run', '--rates', path];
    expect(await refusal(args)).toBe(
      '--rates: the lines of the order are in tokens alone. Give lines in a currency as .csv, ' +
        '.jsonl or .json.',
    );
  });

  it('with wallets and id of an order in a file, and the lines beside it', async () => {
    const { code, stderr } = await runCli(['payout', csv, '--file', bare, '--dry-run'], env);
    expect(stderr).toMatch(
      /^payout:january pays 2 lines from 1 wallet:\n {2}11.5 USDC in 2 lines\n/,
    );
    expect(code).toBe(0);
  });
});
