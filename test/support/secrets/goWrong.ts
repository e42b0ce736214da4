import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../src/orders/progress/status';
import { type Ran, runCli } from '../../cli/runCli';
import type { Call, Trouble } from './echoingProxy';
import type { RecordedStack } from './recordedStack';

/** The orders with faults, by id, each with its last shown state. */
export type Wrong = Record<string, string>;

const waitMsMax = 150_000;
const stranger = '0x523be5c33df156e5104b878dba71445db985ec7d';
/** Pairs of faults: the fault of the first attempt, and the fault of the second. */
const pairs: readonly (readonly [Trouble, Trouble])[] = [
  ['welcome', 'page'],
  ['cutOff', 'fault'],
  ['broken', 'lost'],
  ['page', 'broken'],
  ['fault', 'page'],
];

/** Runs both sequences. Each endpoint fails twice, with changing faults, before it works. */
export async function runSequences({ proxy, steadfast }: RecordedStack): Promise<string> {
  const met = new Map<string, Trouble[]>();
  proxy.plan = (call) => {
    const endpoint = endpointOf(call);
    const left = met.get(endpoint) ?? [...(pairs[met.size % pairs.length] ?? [])];
    met.set(endpoint, left);
    return left.shift();
  };
  const name = 'Harbour Credit';
  const deploy = { name, parameters: { name, symbol: 'HBR' }, mint: { amount: '5' } };
  const transfer = { name: 'Payroll', amount: '7.25', token: 'USDC', accountType: 'EOA' as const };
  const [, receipt] = await Promise.all([
    steadfast.execute('deploymentSequence', 'deploy:troubled', deploy),
    steadfast.execute('transferSequence', 'transfer:troubled', transfer),
  ]);
  proxy.plan = () => undefined;
  return receipt.sender.walletId;
}

function endpointOf({ method, path }: Call): string {
  return `${method} ${path.split('?')[0]?.replace(/[0-9a-f-]{36}/g, ':id')}`;
}

const isTransfer = ({ method, path }: Call): boolean =>
  method === 'POST' && path.endsWith('/transactions/transfer');

/**
 * Runs orders that each fail in another way, one after the other. Some are still waiting at the
 * end, and the service stays down for the last one.
 */
export async function loseOrders(stack: RecordedStack, walletId: string): Promise<Wrong> {
  const { proxy, steadfast, origin } = stack;
  const order = { from: { walletId }, to: stranger, amount: '0.5', token: 'USDC' };
  const seen: Wrong = {};
  const fare = async (name: string, plan: (call: Call) => Trouble | undefined): Promise<void> => {
    proxy.plan = plan;
    const id = `transfer:${name}`;
    await steadfast.start('transferStablecoin', id, order);
    seen[id] = await standsStill(stack, id);
  };
  await fetch(`${origin}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [{ kind: 'failOnChain', walletId, count: 1 }] }),
  });
  await fare('failed', () => undefined);
  await fare('refused-read', ({ method }) => (method === 'GET' ? 'refusal' : undefined));
  await fare('refused-write', (call) => (isTransfer(call) ? 'refusal' : undefined));
  let tries = 0;
  await fare('unknown', (call) => {
    if (!isTransfer(call)) return undefined;
    tries += 1;
    return tries === 1 ? 'swallowed' : 'refusal';
  });
  await fare('no-interface', ({ method }) => (method === 'GET' ? 'welcome' : undefined));
  await fare('unauthorized', () => 'unauthorized');
  await fare('down', () => 'page');
  return seen;
}

/**
 * Runs workers with a wrong key and with a wrong entity secret, against the service without the
 * proxy.
 */
export async function useWrongKeys(
  stack: RecordedStack,
  walletId: string,
  wrong: { apiKey: string; entitySecret: string },
): Promise<Wrong> {
  const { steadfast, replaceWorker, origin } = stack;
  const direct = `${origin}/v1/w3s`;
  const order = { from: { walletId }, to: stranger, amount: '0.25', token: 'USDC' };
  const seen: Wrong = {};
  const variables = { CUSTODY_API_KEY: wrong.apiKey, CUSTODY_ENTITY_SECRET: wrong.entitySecret };
  for (const [name, value] of Object.entries(variables)) {
    const id = `transfer:wrong-${name}`;
    await replaceWorker({ CUSTODY_BASE_URL: direct, [name]: value });
    await steadfast.start('transferStablecoin', id, order);
    seen[id] = await standsStill(stack, id);
  }
  return seen;
}

/**
 * Waits until an order has ended, needs an operator, or retries without success. Returns the state.
 */
async function standsStill({ client }: RecordedStack, id: string): Promise<string> {
  const handle = client.workflow.getHandle(id);
  const endMs = Date.now() + waitMsMax;
  while (Date.now() < endMs) {
    const { raw, status } = await handle.describe();
    if (status.name !== 'RUNNING') return status.name;
    if (raw.pendingActivities?.some(({ attempt }) => Number(attempt) > 2)) return 'trying';
    const progress = await handle.query<Progress>('progress').catch(() => undefined);
    if (progress?.status === 'NeedsOperator' || progress?.status === 'Unknown') {
      return progress.status;
    }
    await sleep(200);
  }
  throw new Error(`${id} still makes progress, and had to stop.`);
}

/** Runs CLI commands with good, bad, malformed and misplaced secrets. */
export async function runCommands(
  { env, proxy, folder }: RecordedStack,
  wrong: { apiKey: string; entitySecret: string },
): Promise<Record<string, Ran>> {
  const { CUSTODY_API_KEY: apiKey = '', CUSTODY_ENTITY_SECRET: entitySecret = '' } = env;
  const [base64, config] = [Buffer.from(apiKey).toString('base64'), join(folder, 'broken.toml')];
  writeFileSync(config, `[profile.default]\napi_key = "${env.TEMPORAL_API_KEY}`, { mode: 0o600 });
  const { CHAIN_RPC_URL: rpcUrl = '' } = env;
  proxy.plan = () => undefined;
  const run = (args: string, more = {}) => runCli(args.split(' '), { ...env, ...more });
  const malformed = {
    CUSTODY_API_KEY: `${apiKey}:more`,
    CUSTODY_ENTITY_SECRET: `${entitySecret}0`,
  };
  const from = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
  const transfer = `transfer --from ${from} --to ${stranger} --amount 1 --token USDC`;
  const sandbox = { SANDBOX_API_KEY: `${apiKey}:more`, SANDBOX_ENTITY_SECRET: `${entitySecret}0` };
  const ran: Record<string, Ran> = await together({
    doctor: run('doctor'),
    'doctor, wrong key': run('doctor', { CUSTODY_API_KEY: wrong.apiKey }),
    'doctor, malformed': run('doctor --json', malformed),
    'doctor, broken file': run('doctor', { TEMPORAL_CONFIG_FILE: config }),
    'doctor, malformed chain': run('doctor', { CHAIN_RPC_URL: rpcUrl.slice(7) }),
    'doctor, no chain': run('doctor', { CHAIN_RPC_URL: rpcUrl.replace(/:\d+/, ':1') }),
    'worker, malformed': run('worker', malformed),
    'worker, broken file': run('worker', { TEMPORAL_CONFIG_FILE: config }),
    'sandbox, malformed': run('sandbox', sandbox),
    transfer: run(`${transfer} --id transfer:no-wallet`),
    'transfer, as JSON': run(`${transfer} --id transfer:no-wallet-json --json`),
    status: run('status transfer:refused-read'),
  });
  proxy.plan = () => 'page';
  ran['doctor, page'] = await run('doctor', { CUSTODY_API_KEY: base64 });
  proxy.plan = () => 'refusal';
  ran['doctor, refusal'] = await run('doctor --json', { CUSTODY_API_KEY: base64 });
  proxy.plan = () => undefined;
  rmSync(config);
  return ran;
}

async function together(runs: Record<string, Promise<Ran>>): Promise<Record<string, Ran>> {
  const ran = Object.entries(runs).map(async ([name, run]) => [name, await run] as const);
  return Object.fromEntries(await Promise.all(ran));
}
