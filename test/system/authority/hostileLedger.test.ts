import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import type { Child } from '../../../src/local/childProcess';
import { steadfast } from '../../../src/local/spawnSandbox';
import { startReady } from '../../../src/local/startReady';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { inSandbox } from '../../support/sandbox';
import { type ServiceProxy, startProxy } from '../../support/service/proxy';
import { limitOf, transferFrom } from '../../writer/writer';
import { type HostileCaller, hostileCaller } from './hostileCaller';
import { policedEnvironment, startPolicedWorker } from './policedWorker';

/** The queues of two workers. */
const one = `hostile-ledger-one-${process.pid}-${Date.now()}`;
const two = `hostile-ledger-two-${process.pid}-${Date.now()}`;
const folder = newFolder();
const ledger = join(folder, 'ledger.db');
const copy = join(folder, 'copy.db');
/** The first worker trusts the service no longer than this to remember a key. */
const keyLifetimeMs = 3_600;
const workers = new Map<string, Child>();
const sandbox = inSandbox();
let proxy: ServiceProxy;
let caller: HostileCaller;
let wallet: Wallet;

beforeAll(async () => {
  wallet = await sandbox.usedWallet('EOA');
  proxy = await startProxy();
  stopLater(() => proxy.close());
  proxy.forwardTo(sandbox.baseUrl);
  writePolicy(1);
  caller = await hostileCaller(one, proxy.baseUrl);
  stopLater(() => caller.close());
  await start(one, { CUSTODY_KEY_LIFETIME_HOURS: String(keyLifetimeMs / 3_600_000) });
  stopLater(() => Promise.all([...workers.keys()].map(kill)));
});
afterEach(() => {
  proxy.lie = (_, text) => ({ text });
});

function writePolicy(version: number, within = folder): void {
  const policy = { version, rules: [limitOf(wallet)] };
  writeFileSync(join(within, 'policy.json'), JSON.stringify(policy));
}

const service = () => ({ secrets: sandbox.secrets, baseUrl: proxy.baseUrl });

async function start(taskQueue: string, env: Record<string, string> = {}): Promise<void> {
  workers.set(taskQueue, await startPolicedWorker(service(), { folder, taskQueue, ...env }));
}

/** Starts the first worker on a disk that has room for so little. */
async function startCramped(kilobytes: number, env: Record<string, string>): Promise<void> {
  const limited = `ulimit -f ${kilobytes * 2}; exec "$@"`;
  const { child } = await startReady({
    command: ['/bin/sh', '-c', limited, 'sh', ...steadfast('worker')],
    env: bareEnvironment(policedEnvironment(service(), { folder, taskQueue: one, ...env })),
    ready: /^Worker ready/,
    timeoutMs: 60_000,
  });
  workers.set(one, child);
}

function loseLedger(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true });
}

async function kill(taskQueue: string): Promise<void> {
  await workers.get(taskQueue)?.kill();
  workers.delete(taskQueue);
}

/** Makes an attempt, and returns `sent` or the reason why not. */
async function attempt(
  { input, how }: ReturnType<typeof transferFrom>,
  api: CustodyApi = caller.api,
): Promise<string> {
  try {
    const { id } = await api.createTransfer(input, how);
    await sandbox.settled(id);
    return 'sent';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Base units that have left the wallet, by the logs of the chain. */
async function paid(): Promise<number[]> {
  const logs = await sandbox.transfers({ from: wallet.address });
  return logs.map(({ value }) => Number(value));
}

/** A page of the list with a record more, under a reference that nothing was sent under. */
function withRecord(page: string, refId: string): string {
  const { transactions } = JSON.parse(page).data;
  const [record] = transactions;
  const more = { ...record, id: randomUUID(), refId };
  return JSON.stringify({ data: { transactions: [more, ...transactions] } });
}

// The tests go on with the ledger and the payments of those before.
let first: ReturnType<typeof transferFrom>;
let later: ReturnType<typeof transferFrom>;

test('a key that the service has forgotten, and whose record its list omits, is not sent again', async () => {
  first = transferFrom(wallet, '0.1');
  const { id } = await caller.api.createTransfer(first.input, first.how);
  await sandbox.settled(id);
  await fetch(`${sandbox.origin}/_sandbox/transactions/${id}`, { method: 'DELETE' });
  await sleep(keyLifetimeMs);
  expect(await attempt(first)).toContain('the service may have forgotten its key since');
  expect(await paid()).toEqual([100_000]);
});

test.each([
  ['a writer whose clock has gone forward sends nothing', -120_000],
  ['a writer whose clock has gone back sends nothing', 120_000],
])('%s', async (_, offMs) => {
  proxy.lie = (_, text) => ({ text, date: new Date(Date.now() + offMs) });
  // The answer to this one may be the first that tells the other time.
  await attempt(transferFrom(wallet, '0.01'));
  const before = await paid();
  expect(await attempt(transferFrom(wallet, '0.1'))).toContain('The clock of this machine is 1');
  proxy.lie = (_, text) => ({ text });
  expect(await paid()).toEqual(before);
  expect(await attempt(transferFrom(wallet, '0.01'))).toBe('sent');
});

test('while another process holds the ledger locked, nothing is sent', async () => {
  const before = await paid();
  const other = new Database(ledger);
  other.exec('BEGIN IMMEDIATE');
  expect(await attempt(transferFrom(wallet, '0.1'))).toContain('is locked by another process');
  other.exec('ROLLBACK');
  other.exec(`VACUUM INTO '${copy}'`);
  other.close();
  expect(await paid()).toEqual(before);
});

let claimedBy = '';

test('a second writer with a ledger of its own sends nothing', async () => {
  const before = await paid();
  const own = join(folder, 'own');
  mkdirSync(own);
  writePolicy(1, own);
  await start(two, { folder: own });
  const answer = await attempt(transferFrom(wallet, '0.1'), caller.apiOf(two));
  await kill(two);
  [, claimedBy = ''] = /The account is claimed by the ledger (\S+),/.exec(answer) ?? [];
  expect(claimedBy).toMatch(/^[0-9a-f-]{36}$/);
  expect(await paid()).toEqual(before);
});

test('a writer with an older policy sends nothing, once one with a newer policy has sent', async () => {
  const before = await paid();
  writePolicy(2);
  await start(two);
  later = transferFrom(wallet, '0.2');
  expect(await attempt(later, caller.apiOf(two))).toBe('sent');
  await kill(two);
  expect(await attempt(transferFrom(wallet, '0.1'))).toContain(
    'The policy of this writer has version 1, and version 2 is in force',
  );
  await kill(one);
  expect(await paid()).toEqual([...before, 200_000]);
});

test('an older copy of the ledger never sends again what it has forgotten, nor what the list invents', async () => {
  const before = await paid();
  loseLedger();
  copyFileSync(copy, ledger);
  const invented = transferFrom(wallet, '0.3');
  proxy.lie = ({ path }, text) => {
    const [, own = ''] = /transactions\?/.test(path) ? (/"refId":"([^"]+)"/.exec(text) ?? []) : [];
    return { text: own === later.input.refId ? withRecord(text, invented.input.refId) : text };
  };
  await start(one);
  const words = 'The service has a record of it that this ledger does not know';
  expect(await attempt(later)).toContain(words);
  expect(await attempt(invented)).toContain(words);
  await kill(one);
  expect(await paid()).toEqual(before);
});

test('a worker whose ledger is damaged does not start, and leaves it as it is', async () => {
  loseLedger();
  const rubbish = 'not a database '.repeat(1_000);
  writeFileSync(ledger, rubbish);
  await expect(start(one)).rejects.toThrow(/ended with code 2[\s\S]*is damaged\. Restore it from/);
  expect(readFileSync(ledger, 'utf8')).toBe(rubbish);
});

test('a worker whose policy has an unknown word does not start', async () => {
  const policy = join(folder, 'unknown.json');
  writeFileSync(
    policy,
    JSON.stringify({ version: 3, rules: [limitOf(wallet, { perMonth: '9' })] }),
  );
  await expect(start(one, { STEADFAST_POLICY_FILE: policy })).rejects.toThrow(
    /ended with code 2[\s\S]*rules\.0\.perMonth: is no word of a policy/,
  );
});

test('a ledger that was deleted is made again, and nothing is sent that the service has', async () => {
  const before = await paid();
  loseLedger();
  await startCramped(400, { STEADFAST_LEDGER_REPLACES: claimedBy });
  expect(await attempt(later)).toContain('The service has a record of it');
  expect(await paid()).toEqual(before);
});

test('once the disk of the ledger is full, nothing more is sent', async () => {
  const before = await paid();
  const answers: string[] = [];
  while (answers.length < 100 && !/cannot/.test(answers.at(-1) ?? '')) {
    answers.push(await attempt(transferFrom(wallet, '0.001')));
  }
  expect(answers.pop()).toMatch(/its disk is full|disk I\/O error/);
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.every((answer) => answer === 'sent')).toBe(true);
  expect(await paid()).toEqual([...before, ...answers.map(() => 1_000)]);
});
