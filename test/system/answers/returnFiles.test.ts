import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { runCli } from '../../cli/runCli';
import { filesOfLines, to } from '../../client/lines/linesOf';
import { createServe } from '../../support/orders';
import { xsdValidator } from '../../support/package/iso20022';
import { newLines, paidOnChain, payers } from '../../support/payouts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox';
import { temporalAddress } from '../../support/temporal';
import { pain, payment, transfer } from '../field/painOf';

const serve = createServe();
const files = filesOfLines();
const validate = xsdValidator();
let sandbox: TestSandbox;
let env: Record<string, string>;
let wallets: string[];
beforeAll(async () => {
  sandbox = await startTestSandbox();
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const { taskQueue } = await serve(client, { baseUrl, chainRpcUrl });
  env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue };
  const paying = await payers(sandbox, 'EOA', 'EOA');
  wallets = paying.flatMap(({ id }) => ['--wallet', id]);
});
afterAll(files.remove);

/** Runs a command twice. What it exports must be the same to the byte, with whatever is in `more`. */
async function exported(args: string[], more: Record<string, string> = {}): Promise<string> {
  const first = await runCli(args, env);
  const second = await runCli(args, { ...env, ...more });
  expect(first).toMatchObject({ code: 0 });
  expect(second.stdout).toBe(first.stdout);
  return first.stdout;
}

it('a CSV file comes back with the hash that the chain has for each of its rows', async () => {
  const id = randomUUID();
  const lines = newLines(8);
  const rows = lines.map(({ lineId, to, amount }) => `${lineId};${to};${amount};x`);
  const path = files.write(`${id}.csv`, `No;Wallet;Amount (USDC);Dept\r\n${rows.join('\r\n')}\r\n`);
  const read = ['--map', 'lineId=No', '--map', 'to=Wallet', '--ignore', 'Dept'];
  await runCli(['payout', path, '--id', id, ...read, ...wallets], env);
  const text = await exported(['payout', 'results', id, '--return', path, ...read]);
  const back: Record<string, string>[] = parse(text, { columns: true, delimiter: ';' });
  const onChain = await paidOnChain(sandbox, lines);
  expect(back).toHaveLength(lines.length);
  for (const [at, row] of back.entries()) {
    const { lineId = '', to, amount } = lines[at] ?? {};
    expect(row).toMatchObject({ No: lineId, Wallet: to, 'Amount (USDC)': amount, Dept: 'x' });
    expect(row).toMatchObject({ state: 'paid', hash: onChain[lineId]?.[0], reason: '' });
    expect(Number(row.fee)).toBeGreaterThan(0);
    expect(Date.parse(row.time ?? '')).toBeGreaterThan(0);
  }
  const saved = join(files.folder, 'back.csv');
  await runCli(['payout', 'results', id, '--return', path, ...read, '--csv', saved], env);
  expect(readFileSync(saved, 'utf8')).toBe(text);

  writeFileSync(path, readFileSync(path, 'utf8').replace(/;(0\.\d+);x/, ';1$1;x'));
  const changed = await runCli(['payout', 'results', id, '--return', path, ...read], env);
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain(`Give the file that the payout ${id} was paid from.`);
});

it('a pain.001 is told as camt.054 with the ids that its sender wrote', async () => {
  const id = randomUUID();
  const remittance = '<RmtInf><Ustrd>Invoice 7</Ustrd></RmtInf>';
  const transfers = transfer({ id: 'RE/2026 1', remittance }) + transfer({ id: 'b', amount: '2' });
  const path = files.write(`${id}.xml`, pain(payment({ transfers })));
  const paid = await runCli(['payout', path, '--id', id, ...wallets], env);
  expect(paid).toMatchObject({ code: 0 });
  await exported(['payout', 'results', id, '--jsonl']);
  const known = `name,address\nBo Chen,${to}\n`;
  const named = { STEADFAST_ADDRESS_BOOK: files.write('book.csv', known) };
  await exported(['payout', 'results', id, '--pain002'], named);
  const text = await exported(['payout', 'results', id, '--camt054'], named);
  expect(text.match(/<EndToEndId>[^<]+/g)?.sort()).toEqual([
    '<EndToEndId>RE/2026 1',
    '<EndToEndId>b',
  ]);
  expect(text).toContain('<PmtInfId>P1</PmtInfId>');
  expect(text).toContain('<Ustrd>Invoice 7</Ustrd>');
  expect(text).toContain('<Amt Ccy="USD">1.5</Amt><CdtDbtInd>DBIT</CdtDbtInd>');
  if (validate === undefined) return;
  expect(validate('camt.054.001.08', files.write('camt054.xml', text))).toBe('valid');
});
