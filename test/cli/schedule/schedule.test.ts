import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../support/jest/setUp';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const folder = newFolder();

function file(name: string, fields: object = {}): string {
  const path = join(folder, name);
  const from = { walletId: '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17' };
  const to = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
  const order = { from, to, amount: '950', token: 'USDC', reference: 'rent of {period}' };
  writeFileSync(path, JSON.stringify({ ...order, ...fields }));
  return path;
}

const rent = file('rent.json');
const monthly = ['--cron', '0 9 1 * *', '--period', 'yyyy-MM'];
const create = ['create', 'rent', '--kind', 'transferStablecoin', '--file', rent];

/** The refusal of a command line, before it connects. */
async function refusal(
  args: readonly string[],
  env: Record<string, string> = { TEMPORAL_ADDRESS: '127.0.0.1:1' },
): Promise<string> {
  const { code, stdout, stderr } = await runCli(['schedule', ...args], env);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  // The totals of a payout are told before its schedule is checked.
  const [, told = ''] = /^(?:payout:[\s\S]*\n)?Error: ([\s\S]*)\n$/.exec(stderr) ?? [];
  return told.replaceAll(folder, '<folder>').replaceAll('\n  ', ' ');
}

async function refusals(rows: readonly string[][]): Promise<string[]> {
  const told: string[] = [];
  for (const args of rows) told.push(await refusal(args));
  return told;
}

it('a command line about schedules that is wrong in itself', async () => {
  const rows = [
    ['start', 'rent'],
    ['create', 'rent'],
    ['describe'],
    ['describe', 'rent:1'],
    ['pause', 'rent'],
    ['pause', 'rent', '--reason', ' '],
    ['trigger', 'rent'],
    ['backfill', 'rent', '--from', '2026-01-01'],
    ['delete', 'rent', '--now'],
    ['list', 'rent'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  ""start" is not a command. See npx --no-install steadfast schedule --help.",
  "--kind: is missing: give --kind <kind>. See npx --no-install steadfast schedule create --help.",
  "<id>: is missing. See npx --no-install steadfast schedule describe --help.",
  "id: "rent:1" cannot be that of a schedule. Give up to 64 letters, digits and . _ - that start with a letter or digit, such as payroll.",
  "--reason: is missing: give --reason <text>. See npx --no-install steadfast schedule pause --help.",
  "--reason: is empty. Say why, for whoever reads this later.",
  "--period: is missing: give --period <period>. See npx --no-install steadfast schedule trigger --help.",
  "--to: is missing: give --to <day>. See npx --no-install steadfast schedule backfill --help.",
  "--now: is not a flag here. See npx --no-install steadfast schedule delete --help.",
  "Too many arguments for 'list'. Expected 0 arguments but got 1. See npx --no-install steadfast schedule list --help.",
]
`);
});

it('a schedule that cannot be', async () => {
  const rows = [
    [...create, '--period', 'yyyy-MM'],
    [...create, ...monthly, '--every', '1d'],
    [...create, '--period', 'MM', '--cron', '0 9 * *'],
    [...create, '--period', 'YYYY-MM', '--cron', 'CRON_TZ=UTC 0 9 1 *'],
    [...create, '--period', 'yyyy-MM-dd', '--every', 'daily', '--offset', '1'],
    [...create, '--period', 'yyyy-MM-dd', '--every', '1h', '--offset', '2h'],
    [...create, ...monthly, '--time-zone', 'Berlin', '--jitter', '0s', '--catch-up', 'never'],
    [...create, ...monthly, '--until', '31.12.2026', '--runs', '0'],
    [...create, ...monthly, '--runs', 'many'],
    [...create.slice(0, 2), ...monthly, '--kind', 'rent', '--file', rent],
    [...create, ...monthly, '--file', file('wrong.json', { to: '0x12', amount: '{period}' })],
    [...create, ...monthly, '--file', file('valid.json', { validUntil: '2026-01-01T00:00:00Z' })],
    [...create, ...monthly, '--file', file('dry.json', { dryRun: true })],
    [...create, ...monthly, '--file', file('anew.json', { generations: { 'transfer/1': 1 } })],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "--cron: is missing. Give --cron <expression>, when: minute, hour, day of month, month, day of week (or --every).",
  "--every: "1d" has no place beside cron.",
  "--cron: "0 9 * *" is not a cron expression: give minute, hour, day of month, month and day of week, such as "0 9 1 * *", or @monthly. --period: "MM" has no yyyy, so its periods would come again every year.",
  "--cron: "CRON_TZ=UTC 0 9 1 *" is not a cron expression: give minute, hour, day of month, month and day of week, such as "0 9 1 * *", or @monthly. --period: "YYYY-MM" is not a template: give yyyy, MM, dd, HH, mm, ss or ww, and other letters in quotes: yyyy-MM, yyyy-'W'ww.",
  "--every: "daily" is not a duration: give 90s, 10m, 2h or 30d. --offset: "1" is not a duration: give 90s, 10m, 2h or 30d.",
  "--offset: "2h" must be shorter than every, which it needs.",
  "--time-zone: "Berlin" is not a time zone: give a name such as Europe/Berlin, or UTC. --jitter: "0s" is not a duration: give 90s, 10m, 2h or 30d. --catch-up: "never" is not a duration: give 90s, 10m, 2h or 30d.",
  "--until: "31.12.2026" must be a day such as 2026-12-31, or a moment such as "2026-12-31T12:00:00Z". --runs: 0 must be at least 1.",
  "--runs: "many" must be a number.",
  "--kind: "rent" must be one of provisionWallets, deployContract, mintTokens, executeContract, fundWallet, transferStablecoin, sweepWallets, deploymentSequence, transferSequence, payout, dailyClose.",
  "to: "0x12" is not an address: give 0x and 40 hexadecimal digits. amount: "2026-01" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "validUntil: has no place in a schedule, since it would be the same for every period: end the schedule with --until.",
  "dryRun: has no place in a schedule, since a schedule starts orders and no dry runs.",
  "generations: has no place in a schedule, since each period is an order of its own: resubmit that one.",
]
`);
});

function csv(name: string, lines: number, amount = '1.5'): string {
  const path = join(folder, name);
  const row = (at: number) => `l${at},0x${String(at + 1).padStart(40, '1')},${amount}\n`;
  const rows = Array.from({ length: lines }, (_, at) => row(at));
  writeFileSync(path, `lineId,to,amount\n${rows.join('')}`);
  return path;
}

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
const paying = ['--wallet', wallet, '--token', 'USDC'];

it('a schedule of payouts that cannot be', async () => {
  const salaries = ['create', 'salaries', '--kind', 'payout', ...monthly, '--file'];
  const few = csv('few.csv', 2);
  const order = { from: undefined, to: undefined, amount: undefined, token: undefined };
  const ofPayout = { ...order, wallets: [wallet] };
  const line = { lineId: 'ann', to: `0x${'1'.repeat(40)}`, amount: '1', token: 'USDC' };
  const rows = [
    [...salaries, few, '--wallet', wallet],
    [...salaries, few, '--token', 'USDC'],
    [...salaries, few, ...paying, '--max-total', 'USDC=2.9'],
    [...salaries, csv('wrong.csv', 1, '1.5.0'), ...paying],
    [...salaries, csv('many.csv', 2_501), ...paying],
    [
      ...salaries,
      csv('long.csv', 2_500, `1000000000.${'1'.repeat(18)}`),
      ...paying.slice(0, 2),
      '--token',
      'native',
    ],
    [...salaries, file('none.json', ofPayout)],
    [...salaries, file('named.json', { ...ofPayout, lines: [line], payoutId: 'january' })],
    ['create', 's'.repeat(57), ...salaries.slice(2), few, ...paying],
    [...create, ...monthly, ...paying],
    [...create, ...monthly, '--max-total', 'USDC=5'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "FILE: <folder>/few.csv has a fault: row 1: there is no column token. Add it, or give --token USDC where all lines have the same.",
  "--wallet: is missing. Give --wallet <id>, a wallet that pays.",
  "--max-total: the lines come to 3 USDC, which is over 2.9.",
  "FILE: <folder>/wrong.csv has a fault: row 2, column amount: "1.5.0" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "FILE: <folder>/many.csv has 2501 lines, and a schedule has room for 2500 lines and 300000 bytes. Have a cron job of your own pay it, with the period of that day. Under its id each period is paid once, however often it is started: npx --no-install steadfast payout <folder>/many.csv --id salaries:<period> --wallet <id>",
  "FILE: <folder>/long.csv has 2500 lines, and a schedule has room for 2500 lines and 300000 bytes. Have a cron job of your own pay it, with the period of that day. Under its id each period is paid once, however often it is started: npx --no-install steadfast payout <folder>/long.csv --id salaries:<period> --wallet <id>",
  "lines: are missing. Nobody hands them over when a period comes: give the lines in the order, or a file of lines.",
  "payoutId: has no place in a schedule, since that of a period follows from the schedule and the period.",
  "id: a period of "sssssssssssssssssssssssssssssssssssssssssssssssssssssssss" would have the payoutId "sssssssssssssssssssssssssssssssssssssssssssssssssssssssss:2026-01", of which 64 characters are the most. Give the schedule a shorter id.",
  "--wallet: is for --kind payout. Put it into the order in --file.",
  "--max-total: is for --kind payout. Put it into the order in --file.",
]
`);
});

it('a schedule of payouts keeps the lines of its file', async () => {
  const id = `salaries-${randomUUID().slice(0, 8)}`;
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: 'nobody' };
  const flags = ['--kind', 'payout', '--file', csv('pay.csv', 3), ...monthly, ...paying];
  const more = ['--max-total', 'USDC=5', '--reference', 'of {period}'];
  const created = await runCli(['schedule', 'create', id, ...flags, ...more], env);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(`^Created ${id}.`) });
  expect(created.stderr).toContain(
    `payout:${id}:{period} pays 3 lines from 1 wallet:\n  4.5 USDC in 3 lines\n  digest of the lines: `,
  );
  const { stdout, stderr } = await runCli(['schedule', 'describe', id], env);
  expect(stderr).toBe('');
  const digest = /digest of the lines: (\S+)/.exec(created.stderr)?.[1];
  expect(stdout).toContain(
    `Order: wallets ${wallet} · maxTotal USDC 5 · reference of {period} · lines 3 · ` +
      `sum 4.5 USDC · digest ${digest}\n`,
  );
  await runCli(['schedule', 'delete', id], env);
});

it('the payees of a schedule are compared with the address book before it is created', async () => {
  const [ann, wrong] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
  const [book, lines] = ['book.csv', 'payees.csv'].map((name) => join(folder, name));
  writeFileSync(String(book), `name,address\nAnn Berg,${ann}\n`);
  writeFileSync(String(lines), `id,to,amount,name\na,${ann},5,\nb,${wrong},5,Ann Berg\n`);
  const env = { TEMPORAL_ADDRESS: '127.0.0.1:1', STEADFAST_ADDRESS_BOOK: String(book) };
  const salaries = ['--kind', 'payout', '--file', String(lines), ...monthly, ...paying];
  const bonus = ['--period', '2099-12', '--file', String(lines), '--token', 'USDC'];
  for (const [id, args] of [
    ['{period}', ['create', 'salaries', ...salaries, '--json']],
    ['{period}', ['sign', 'salaries', ...salaries]],
    ['2099-12', ['override', 'salaries', ...bonus]],
  ] as const) {
    // Nothing was asked of Temporal yet.
    const { stderr } = await runCli(['schedule', ...args], env);
    expect(stderr).toMatch(new RegExp(`^payout:salaries:${id} pays 2 lines from `));
    expect(stderr).toContain(`5 USDC to ${ann}, Ann Berg\n`);
    expect(stderr).toMatch(/! Line "b" .+\. \(otherAddress\)\n[\s\S]*Temporal cannot be reached/);
  }
  expect(await refusal(['create', 'salaries', ...salaries, '--strict'], env)).toContain(
    '--strict: the checks have found something: ',
  );
});

it('a schedule from its creation to its end', async () => {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: 'nobody' };
  const toStart =
    `To start: 3 periods of ${id}, 2026-01 to 2026-03.\n` +
    'Their sum: 2850 USDC, without fees. Periods that were started before are in it, and are not ' +
    'paid again.\n';
  const schedule = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(['schedule', ...args], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: args[0] === 'backfill' ? toStart : '' });
    return stdout;
  };
  const [, , ...flags] = create;
  const created = await schedule(
    'create',
    id,
    ...flags,
    ...monthly,
    '--time-zone',
    'Europe/Berlin',
  );
  expect(created).toMatch(
    /^Created .+ first periods:\n( {2}(.{7}) {2}\2-01 09:00 Europe\/Berlin\n){5}$/,
  );
  const paused = await schedule('pause', id, '--reason', 'the flat is empty', '--json');
  expect(JSON.parse(paused)).toMatchObject({ id });
  const told = await schedule('describe', id);
  expect(told).toContain(`${id} · transferStablecoin · "0 9 1 * *" in Europe/Berlin · yyyy-MM\n`);
  expect(told).toContain('Paused: the flat is empty.');
  expect(told).toContain('Overlap: a period starts also while an earlier one is under way.');
  expect(told).toContain('Catch-up: a period that was missed');
  expect(told).toContain('is started up to 365 d late; none was missed for longer.');
  await schedule('resume', id);
  const days = ['--from', '2026-01-01', '--to', '2026-03-01'];
  const backfilled = await schedule('backfill', id, ...days, '--before-creation', '--json');
  const { periods, sum } = JSON.parse(backfilled);
  expect(sum).toEqual({ USDC: '2850' });
  expect(periods.map(({ at }: { at: string }) => at)).toEqual([
    '2026-01-01T08:00:00.000Z',
    '2026-02-01T08:00:00.000Z',
    '2026-03-01T08:00:00.000Z',
  ]);
  expect(await schedule('delete', id)).toBe(`${id} is deleted. What it has started goes on.\n`);
});
