import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { tellOrders, withCounts } from '../../src/cli/find/list';
import type { PayoutLine } from '../../src/client/client';
import { RefusedError } from '../../src/custody/errors';
import { runCli, startCli } from '../cli/runCli';
import { filesOfLines } from '../client/lines/linesOf';
import { createServe, envOf, type Orders } from '../support/orders';
import { newLines, paidOnChain, payers } from '../support/payouts';
import { startTestSandbox } from '../support/sandbox';
import { openTill } from '../support/service/tillCustody';

const serve = createServe();
const files = filesOfLines();
afterAll(files.remove);

/** A payout with this many lines in a file, and the flags that pay it from a terminal. */
function payoutOf(count: number, wallets: readonly { id: string }[]) {
  const id = randomUUID();
  const lines = newLines(count);
  const rows = lines.map(({ lineId, to, amount }) => `${lineId};${to};${amount}`);
  const path = files.write(`${id}.csv`, `\ufeffLine ID;Address;Amount\r\n${rows.join('\r\n')}\r\n`);
  const from = wallets.flatMap((wallet) => ['--wallet', wallet.id]);
  const args = ['payout', path, '--id', id, '--token', 'USDC', ...from];
  return { id, lines, args };
}

/** The result rows of a CSV. */
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

const paidOf = (lines: readonly PayoutLine[]) => lines.map(({ lineId }) => [lineId, 'paid']);

/** The first two lines of a command's stdout, and its whole stderr. */
async function headOf(args: readonly string[], env: Record<string, string>) {
  const command = 'node scripts/steadfast.js "$@" | head -n 2';
  const child = spawn('sh', ['-c', command, 'sh', ...args], { env: { ...process.env, ...env } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

it('a file that is handed over twice is paid once, and the results match the chain', async () => {
  const sandbox = await startTestSandbox();
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const env = envOf(await serve(client, { baseUrl, chainRpcUrl }));
  const { id, lines, args } = payoutOf(12, await payers(sandbox, 'EOA', 'SCA'));

  const first = await runCli([...args, '--max-total', 'USDC=5', '--json'], env);
  expect(first.stderr).toContain(`payout:${id} pays 12 lines from 2 wallets:`);
  const document = JSON.parse(first.stdout);
  expect(document).toMatchObject({ id: `payout:${id}`, end: 'done', receipt: { paid: 12 } });
  expect(first.code).toBe(0);

  const again = await runCli([...args, '--max-total', 'USDC=5'], env);
  expect(again.stderr).toContain('was completed before. Nothing is moved again.');
  expect(again.stdout).toContain('12 of 12 paid');
  expect(again.code).toBe(0);

  const { stdout } = await runCli(['payout', 'results', id], env);
  const rows = rowsOf(stdout);
  expect(rows.map(({ lineId, outcome }) => [lineId, outcome])).toEqual(paidOf(lines));
  const told = Object.fromEntries(rows.map(({ lineId, txHash }) => [lineId, [txHash]]));
  expect(await paidOnChain(sandbox, lines)).toEqual(told);
  await sandbox.stop();
});

it('a failed line exits with 1 and its reason, and its retry changes no other line', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  const env = envOf(orders);
  const { id, lines, args } = payoutOf(5, till.wallets);
  const unlucky = lines[3]?.to;
  let isOpen = false;
  till.settings.onTransfer = (input, take) => {
    if (!isOpen && input.destinationAddress.toLowerCase() === unlucky) {
      throw new RefusedError('=HYPERLINK("x"), "no"', { status: 400, code: 155258 });
    }
    return take();
  };
  const first = await runCli(args, env);
  expect(first.stdout).toContain('  4 of 5 paid, 1 failed');
  expect(first.stdout).toContain(`npx --no-install steadfast payout retry ${id}`);
  expect(first.code).toBe(1);

  const path = join(files.folder, 'results.csv');
  const saved = await runCli(['payout', 'results', `payout:${id}`, '--csv', path], env);
  expect(saved).toMatchObject({ code: 0, stdout: '' });
  expect(saved.stderr).toBe(`Wrote ${path}: 4 of 5 paid, 1 failed.\n`);
  const rows = rowsOf(readFileSync(path, 'utf8'));
  expect(rows[3]).toMatchObject({ outcome: 'failed', reason: `'=HYPERLINK("x"), "no"` });

  isOpen = true;
  const status = await runCli(['status', `payout:${id}`], env);
  expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining('4 of 5 paid') });
  expect(await listedAs(orders, `payout:${id}`)).toMatch(/ {2}4 of 5 paid, 1 failed$/);
  const retried = await runCli(['payout', 'retry', id, '--json'], env);
  expect(JSON.parse(retried.stdout)).toMatchObject({ end: 'done', receipt: { paid: 5 } });
  const results = await runCli(['payout', 'results', id, '--json'], env);
  const generations = JSON.parse(results.stdout).map(
    (line: { generation: number }) => line.generation,
  );
  expect(generations).toEqual([0, 0, 0, 1, 0]);
});

/**
 * The row of one payout in a list. The command counts the lines of the twenty newest payouts, and
 * other tests start more of them meanwhile. So a list of this one alone is counted here.
 */
async function listedAs({ steadfast }: Orders, id: string): Promise<string | undefined> {
  for (;;) {
    const all = await steadfast.list({ kind: 'payout', limit: 1_000 });
    const own = all.filter(({ workflowId }) => workflowId === id);
    // A list is a moment behind, so a row that never comes makes this test time out.
    if (own.length > 0) return tellOrders(await withCounts(own, { steadfast, scope: '' }))[0];
    await sleep(200);
  }
}

it('a payout goes on after Ctrl-C: the same command attaches to it', async () => {
  const till = openTill();
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const env = envOf(orders);
  const { id, lines, args } = payoutOf(510, till.wallets);
  const { child, ended } = startCli(args, env);
  child.stderr.on('data', (chunk) => {
    if (String(chunk).includes('Started')) child.kill('SIGINT');
  });
  const left = await ended;
  expect(left.stdout).toContain(`Stopped waiting. payout:${id} goes on.`);
  expect(left.code).toBe(4);

  const head = await headOf(['payout', 'results', id], env);
  expect(head.stdout.split('\n')[1]).toMatch(new RegExp(`^${lines[0]?.lineId},.*,USDC,waiting,`));
  expect(head.stderr).not.toContain('Error');

  const paced = await runCli(['payout', 'rate', id, '500'], env);
  expect(paced.stdout).toBe(`payout:${id} sends at most 500 lines in a second.\n`);
  const skipped = await runCli(['payout', 'skip', id, 'nobody', '--reason', 'left us'], env);
  expect(skipped).toMatchObject({ code: 2, stdout: '' });
  expect(skipped.stderr).toContain('no part of this payout has "nobody"');
  await runCli(['payout', 'rate', id, 'off'], env);

  const following = startCli(args, env);
  following.child.stderr.on('data', (chunk) => {
    if (!String(chunk).includes('Attached to it')) return;
    till.settings.settleMs = 100;
    till.settle();
  });
  const whole = await following.ended;
  expect(whole.stderr).toContain('was started before. Attached to it.');
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('510 of 510 paid') });
});

it('a payout that cannot be sealed exits with 1, and is paid once it is corrected', async () => {
  const till = openTill();
  const env = envOf(await serve(till.custody));
  const { id, args } = payoutOf(3, till.wallets);
  till.settings.held = '0.01';
  const refused = await runCli([...args, '--json'], env);
  expect(JSON.parse(refused.stdout)).toMatchObject({ id: `payout:${id}`, end: 'refused' });
  expect(refused.stderr).toContain(
    'Nothing of it is paid. Fix that and run the same command again',
  );
  expect(refused.code).toBe(1);
  const status = await runCli(['status', `payout:${id}`], env);
  expect(status.stdout).toContain('waiting for its seal: 1 part, 3 lines so far');
  expect(status.stdout).toContain(
    '3 lines handed over in 1 part, and nothing is paid before the seal',
  );
  expect(till.taken).toEqual([]);

  // The file is corrected too, and has two lines now.
  till.settings.held = '1000';
  const mended = await runCli(payoutOf(2, till.wallets).args.with(3, id), env);
  expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 paid') });
  expect(till.taken).toHaveLength(2);
});

it('a pain.001 is answered with the ids of its sender, and names stay with their lines', async () => {
  const till = openTill();
  const env = envOf(await serve(till.custody));
  const id = randomUUID();
  const path = files.write(`${id}.xml`, painOf(['RE/1', 'Ann Müller'], ['b', 'Bo']));
  const wallets = till.wallets.flatMap((wallet) => ['--wallet', wallet.id]);
  const paid = await runCli(['payout', path, '--id', id, ...wallets], env);
  expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 paid') });

  const { stdout } = await runCli(['payout', 'results', id, '--pain002'], env);
  expect(stdout.match(/<Orgnl\w+>[^<]+/g)).toEqual([
    '<OrgnlMsgId>M-77',
    '<OrgnlMsgNmId>pain.001.001.09',
    '<OrgnlPmtInfId>P-1',
    '<OrgnlInstrId>I-1',
    '<OrgnlEndToEndId>RE/1',
    '<OrgnlPmtInfId>P-2',
    '<OrgnlInstrId>I-2',
    '<OrgnlEndToEndId>b',
  ]);
  const rows = rowsOf((await runCli(['payout', 'results', id], env)).stdout);
  expect(rows.map(({ name, reference }) => [name, reference])).toEqual([
    ['Ann Müller', 'for RE/1'],
    ['Bo', 'for b'],
  ]);
});

/** A pain.001 with a PmtInf for each payee. */
function painOf(...payees: [id: string, name: string][]): string {
  const payments = payees.map(([id, name], at) => {
    const to = `0x${(at + 9).toString(16).padStart(40, '0')}`;
    return [
      `<PmtInf><PmtInfId>P-${at + 1}</PmtInfId><ReqdExctnDt>2026-01-31</ReqdExctnDt>`,
      `<CdtTrfTxInf><PmtId><InstrId>I-${at + 1}</InstrId><EndToEndId>${id}</EndToEndId></PmtId>`,
      `<Amt><InstdAmt Ccy="USD">0.01</InstdAmt></Amt><Cdtr><Nm>${name}</Nm></Cdtr>`,
      `<CdtrAcct><Prxy><Id>${to}</Id></Prxy></CdtrAcct>`,
      `<RmtInf><Ustrd>for ${id}</Ustrd></RmtInf></CdtTrfTxInf></PmtInf>`,
    ].join('');
  });
  return [
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>M-77</MsgId></GrpHdr>${payments.join('')}</CstmrCdtTrfInitn></Document>`,
  ].join('');
}
