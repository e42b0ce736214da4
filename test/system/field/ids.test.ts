import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutLine } from '../../../src/client/client';
import { runCli, startCli } from '../../cli/runCli';
import { watchedCli } from '../../cli/watchedCli';
import { filesOfLines } from '../../client/lines/linesOf';
import { stopLater } from '../../support/jest/setUp';
import { createServe, envOf, startPermissively } from '../../support/orders';
import { newLine, newLines, paidOnChain, payers } from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';
import { transferOrder as order, scriptedCustody } from '../../support/service/scriptedCustody';
import { openTill } from '../../support/service/tillCustody';

const serve = createServe();
const files = filesOfLines();
const sandbox = inSandbox();
beforeAll(async () => {
  stopLater(() => files.remove());
});

/** A file of these lines. */
function fileOf(lines: readonly PayoutLine[], name = randomUUID()): string {
  const rows = lines.map(({ lineId, to, amount, token }) => [lineId, to, amount, token].join(','));
  return files.write(`${name}.csv`, `id,to,amount,token\n${rows.join('\n')}\n`);
}

/** Starts a payout from a file on the chain of the sandbox. */
async function onChain() {
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const orders = await serve(client, { baseUrl, chainRpcUrl });
  const [wallet] = await payers(sandbox, 'EOA');
  const env = envOf(orders);
  return { orders, env, from: ['--wallet', String(wallet?.id)] };
}

const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('the id of a payout', () => {
  it('a changed file under the id of a completed payout is refused, and the line is named (field D 1)', async () => {
    const { env, from } = await onChain();
    const lines = newLines(3);
    const [one, two, ...rest] = lines as [PayoutLine, PayoutLine, ...PayoutLine[]];
    const id = randomUUID();
    const pay = (...given: PayoutLine[]) =>
      runCli(['payout', fileOf(given), '--id', id, ...from], env);
    expect(await pay(...lines)).toMatchObject({ code: 0 });

    const dan = newLine({ lineId: '2026-01.dan' });
    const more = await pay(...lines, dan);
    expect(more.stderr).toContain('line 2026-01.dan is not in it');
    expect(more.stderr).toContain('Put only the new lines into a payout of their own.');
    const dearer = await pay(one, { ...two, amount: '1.95' }, ...rest);
    expect(dearer.stderr).toContain(`the amount of line ${two.lineId} was ${two.amount}, is 1.95.`);
    const less = await pay(one, ...rest);
    expect(less.stderr).toContain(`line ${two.lineId} is missing.`);
    expect([more, dearer, less].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect([more, dearer, less].map(({ stdout }) => stdout)).toEqual(['', '', '']);

    const again = await pay(...lines);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 paid') });
    const paid = await paidOnChain(sandbox, [...lines, dan, { ...two, amount: '1.95' }]);
    expect(Object.values(paid).map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });

  it('a changed file under the id of a running payout exits with 2, as bad input does (field D 1, 16)', async () => {
    const till = openTill();
    till.settings.settleMs = 600_000;
    const env = envOf(await serve(till.custody));
    const lines = newLines(2);
    const id = randomUUID();
    const from = ['--id', id, '--wallet', String(till.wallets[0]?.id)];
    await runCli(['payout', fileOf(lines), ...from, '--no-wait'], env);
    const other = await runCli(['payout', fileOf([...lines, newLine()]), ...from, '--json'], env);
    expect(JSON.parse(other.stdout)).toMatchObject({ end: 'badInput' });
    expect(other.stderr).toContain('is not in it');
    expect(other.code).toBe(2);
    till.settle();
  });

  it('the wallets of a payout in another order are named, and not told by hashes (field D 16)', async () => {
    const till = openTill({ wallets: 2 });
    const env = envOf(await serve(till.custody));
    const path = fileOf(newLines(2));
    const id = randomUUID();
    const wallets = till.wallets.map((wallet) => wallet.id);
    const pay = (...ids: string[]) =>
      runCli(['payout', path, '--id', id, ...ids.flatMap((one) => ['--wallet', one])], env);
    await pay(...wallets);
    const swapped = await pay(...wallets.reverse());
    expect(swapped.stderr).toContain('the order of the wallets differs');
    expect(swapped.code).toBe(2);
  });

  it('the same command on a terminal goes on with one payout, and says how to pay twice (field D 2)', async () => {
    const { env, from } = await onChain();
    const lines = newLines(3);
    const path = fileOf(lines);
    const args = ['payout', path, ...from];
    const first = await watchedCli(args, env, 'y');
    expect(first.stderr).toContain('Pay this once?');
    expect(flat(first.stderr)).toContain('A changed file is another payout and pays all of its');
    const [, id] = /id (payout:\w+)/.exec(first.stdout) ?? [];
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 paid') });

    // Nobody is asked, and the same lines in another order are the same payout.
    const again = await watchedCli(args, env);
    expect(again.stdout).toContain(`id ${id}`);
    expect(again.stderr).not.toContain('[y/N]');
    expect(flat(again.stderr)).toContain('To pay them a second time, say so with an --id');
    const sorted = await watchedCli(['payout', fileOf([...lines].reverse()), ...from], env);
    expect(sorted.stderr).toContain('the order of the lines differs');
    expect([again, sorted].map(({ code }) => code)).toEqual([0, 2]);
    const paid = await paidOnChain(sandbox, lines);
    expect(Object.values(paid).map(({ length }) => length)).toEqual([1, 1, 1]);

    const twice = await watchedCli([...args, '--id', randomUUID()], env, 'y');
    expect(twice.code).toBe(0);
    const both = await paidOnChain(sandbox, lines);
    expect(Object.values(both).map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  it('the same transfer on a terminal is told, and paid once, unless it has an id of its own', async () => {
    const { env, from } = await onChain();
    const [line] = newLines(1) as [PayoutLine];
    const payee = ['--to', line.to, '--amount', line.amount, '--token', line.token];
    const args = ['transfer', '--from', String(from[1]), ...payee];
    const first = await watchedCli(args, env);
    const [, id] = /id (transfer:\w+)/.exec(first.stdout) ?? [];
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Exactly') });

    const again = await watchedCli(args, env);
    expect(flat(again.stderr)).toContain(
      `Exactly this order was carried out before, as ${id}. It is not carried out twice. ` +
        'For a second one, say so with an --id of your own.',
    );
    expect(again.code).toBe(0);
    const paid = await paidOnChain(sandbox, [line]);
    expect(paid[line.lineId]).toHaveLength(1);
    const twice = await watchedCli([...args, '--id', `transfer:${randomUUID()}`], env);
    expect(twice.code).toBe(0);
    const both = await paidOnChain(sandbox, [line]);
    expect(both[line.lineId]).toHaveLength(2);
  });

  it('the same command asks again while nothing of it is paid, also after a cancellation', async () => {
    const till = openTill();
    const env = envOf(await serve(till.custody));
    const wallet = String(till.wallets[0]?.id);
    /** The command of a payout whose seal was refused, and its id. */
    const unsealed = async () => {
      till.settings.held = '0.01';
      const args = ['payout', fileOf([newLine({ amount: '5' })]), '--wallet', wallet];
      const { code, stdout, stderr } = await watchedCli(args, env, 'y');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('holds 0.01') });
      till.settings.held = '1000';
      const [, id = ''] = /id (payout:\w+)/.exec(stdout) ?? [];
      return { args, id };
    };
    const declined = async (args: readonly string[]) => {
      const { code, stderr } = await watchedCli(args, env, 'n');
      expect(flat(stderr)).toMatch(/and nothing of it is paid yet\. .*Pay this once\?/);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('Nothing was handed over.'),
      });
    };
    const cancelled = await unsealed();
    await runCli(['cancel', cancelled.id, '--reason', 'not yet'], env);
    while (!(await runCli(['status', cancelled.id], env)).stdout.includes('Cancelled')) {
      await sleep(100);
    }
    await declined(cancelled.args);
    expect(till.taken).toHaveLength(0);

    const { args } = await unsealed();
    await declined(args);
    const agreed = await watchedCli(args, env, 'y');
    expect(agreed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 paid') });
  });

  it('after Ctrl-C the whole command to go on is printed, with file and id (field D 2)', async () => {
    const till = openTill();
    till.settings.settleMs = 600_000;
    const env = envOf(await serve(till.custody));
    const id = randomUUID();
    const path = fileOf(newLines(2), `it's ${id}`);
    const args = ['payout', path, '--id', id, '--wallet', String(till.wallets[0]?.id)];
    const { child, ended } = startCli([...args, '--max-total', 'USDC=5'], env);
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('Started')) child.kill('SIGINT');
    });
    const { stdout, code } = await ended;
    const inShell = `'${path.replaceAll("'", "'\\''")}'`;
    expect(stdout).toContain(
      `npx --no-install steadfast payout ${inShell} --id ${id} --wallet ${till.wallets[0]?.id} --max-total USDC=5`,
    );
    expect(code).toBe(4);
    till.settle();
  });
});

describe('an earlier run of an id', () => {
  it('that has paid is told by the refusal of a later one, its status and the list (field D 3)', async () => {
    const orders = await serve(scriptedCustody());
    const env = envOf(orders);
    const id = `transfer:${randomUUID()}`;
    const { txHash } = await orders.steadfast.execute('transferStablecoin', id, order);
    const paid = `n earlier run of this id paid 5 USDC in ${txHash}`;
    for (const wrong of [
      { ...order, amount: '6' },
      { ...order, amount: 'six' },
    ]) {
      const again = await startPermissively(orders, id, wrong);
      await expect(again.result()).rejects.toMatchObject({
        cause: { type: 'Refused', message: expect.stringContaining(`A${paid}.`) },
      });
      const status = await runCli(['status', id], env);
      expect(status.stdout).toContain(`! A${paid}. Its receipt stands:`);
      expect(status.stdout).not.toMatch(/another id/);
    }
    // Temporal's list is a second behind, and other tests fill it too.
    const list = ['list', '--kind', 'transferStablecoin', '--limit', '1000'];
    let own: string[] = [];
    while (own.length < 3) {
      const { code, stdout, stderr } = await runCli(list, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      own = stdout.split('\n').filter((row) => row.includes(id));
    }
    expect(own.filter((row) => row.includes(`a${paid}`))).toHaveLength(2);
  });
});

describe('a payout that waits', () => {
  it('keeps the reason why its seal was refused, and the ways out (field D 7)', async () => {
    const till = openTill();
    till.settings.held = '0.01';
    const env = envOf(await serve(till.custody));
    const id = randomUUID();
    const from = ['--id', id, '--wallet', String(till.wallets[0]?.id)];
    await runCli(['payout', fileOf([newLine({ amount: '5' })]), ...from], env);
    const { stdout } = await runCli(['status', `payout:${id}`], env);
    expect(stdout).toMatch(/! the seal was refused: wallets: 0x01\w+ holds 0\.01/);
    expect(stdout).toContain('The last seal was refused: wallets: 0x01');
    expect(stdout).toContain(`npx --no-install steadfast payout <file> --id payout:${id} …`);
    expect(stdout).toContain(`npx --no-install steadfast cancel payout:${id} --reason "why"`);
    await runCli(['cancel', `payout:${id}`, '--reason', 'a test'], env);
  });

  it('a wallet that is not there is named by its flag, before anything starts (field D 16)', async () => {
    const { env, orders } = await onChain();
    const service = { CUSTODY_BASE_URL: sandbox.baseUrl, CUSTODY_API_KEY: sandbox.secrets.apiKey };
    const [missing, id] = [randomUUID(), randomUUID()];
    const args = ['payout', fileOf(newLines(1)), '--id', id, '--wallet', missing];
    const refused = await runCli(args, { ...env, ...service });
    expect(refused.stderr).toMatch(/Error: --wallet: .* has no wallet/);
    expect(refused.code).toBe(2);
    await expect(orders.steadfast.status(`payout:${id}`)).rejects.toThrow('knows no order');
    // Without access to the service, the worker finds it, and the flag is named as well.
    const later = await runCli(args, env);
    expect(later.stderr).toContain('Error: --wallet: the service has no wallet');
    expect(later.code).toBe(2);
  });
});

describe('a cancelled payout', () => {
  it('says what it leaves unpaid, reads the same everywhere, and is continued under its id (field D 3)', async () => {
    const till = openTill();
    till.settings.settleMs = 600_000;
    const orders = await serve(till.custody);
    const env = envOf(orders);
    const lines = newLines(6);
    const id = randomUUID();
    const { receipt } = await orders.steadfast.payout(
      { payoutId: id, wallets: till.wallets.map((wallet) => wallet.id), openMax: 2 },
      lines,
    );
    const order = `payout:${id}`;
    while (till.taken.length < 2) await sleep(50);
    const kept = await watchedCli(['cancel', order, '--reason', 'wrong month'], env, 'n');
    expect(kept.stderr).toContain('leaves up to 6 of 6 lines unpaid');
    expect(kept.stderr).toContain(`pause it instead: npx --no-install steadfast pause ${order}`);
    expect(kept.stdout).toBe(`${order} was not cancelled.\n`);
    const { stdout } = await runCli(['cancel', order, '--reason', 'wrong month'], env);
    expect(stdout).toContain(`under the same id: npx --no-install steadfast payout continue ${id}`);
    till.settings.settleMs = 10;
    till.settle();
    expect(await receipt()).toMatchObject({ paid: 2, skipped: 4 });

    const status = await runCli(['status', order], env);
    expect(status.stdout).toContain(`${order} · payout · Cancelled`);
    expect(status.stdout).toContain('2 of 6 paid, 4 skipped');
    expect(status.stdout).not.toMatch(/✓ done|· done/);
    expect(status.stdout).toContain(`npx --no-install steadfast payout continue ${id}`);
    for (;;) {
      const rows = await orders.steadfast.list({ kind: 'payout', limit: 1_000 });
      const own = rows.find(({ workflowId }) => workflowId === order);
      if (own?.status === 'Cancelled') break;
      await sleep(200);
    }

    const paid = await runCli(['payout', 'continue', id], env);
    expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining('6 of 6 paid') });
    const sent = till.taken.map(({ destinationAddress }) => destinationAddress?.toLowerCase());
    expect(sent.sort()).toEqual(lines.map(({ to }) => to).sort());
  });
});
