import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usualNetwork } from '../../custody/networks/networks';
import { HeldError, lockFile } from '../../local/lockFile';
import type { StackPart } from '../../local/startPart';
import { type StackParts, startStack } from '../../local/startStack';
import { readPolicyFile } from '../../writer/file/readPolicy';
import { ledgerAt } from '../../writer/ledger/ledgerAt';
import { checkPolicy } from '../doctor/checkPolicy';
import { tellFinding } from '../doctor/tellFinding';
import { type ExitCode, exitCodes, messageOf } from '../exit';
import { interruption } from '../interruption';
import { pc } from '../show/colors';
import { progressLine } from '../show/progressLine';
import { createVoice, errorLine, noteLines } from '../show/voice';
import { type DevConsole, devConsole } from './devConsole';
import { keepUp } from './keepUp';
import { readSandboxInfo } from './sandboxInfo';

/** Kept between runs, below the working directory. */
const stateFolder = '.steadfast';
const logFolder = join(stateFolder, 'logs');
/** As Temporal itself has it by default. */
const httpPort = 7243;
const webhooksPort = 4020;

/**
 * Runs the whole stack on this machine until Ctrl-C, and says what to type next. With a policy
 * file, the worker keeps to it.
 */
export async function runDev(policy?: string): Promise<ExitCode> {
  // A fault is told before anything is started.
  if (policy !== undefined) readPolicyFile(policy, { blockchain: usualNetwork });
  const voice = createVoice(process, false);
  const release = takeFolder();
  if (release === undefined) {
    voice.note(errorLine(isRunning));
    return exitCodes.badInput;
  }
  const ofPolicy = await policyVariables(policy);
  const variables = storeVariables();
  const pages = devConsole(stateFolder, { policy, say: voice.note });
  const { stopped } = interruption();
  let isStopped = false;
  const isStopping = (): boolean => isStopped;
  const line = progressLine(voice);
  line.show('Starting Temporal, the sandbox, a worker, the receiver of notices and the console');
  const stack = startStack({
    dataDir: resolve(stateFolder),
    temporal: { httpPort },
    webhooksPort,
    readsChain: true,
    workerEnv: { ...variables, ...ofPolicy },
    console: { ...pages.options, env: { ...variables, ...pages.options.env } },
    onLine: logger(resolve(logFolder)),
  });
  try {
    const parts = await Promise.race([stack.ready, stopped]);
    if (typeof parts === 'string') return exitCodes.done;
    line.clear();
    const told = await introduce(parts, { policy, pages, stopped });
    for (const one of told) voice.say(one);
    await Promise.race([stopped, keepUp(parts, { say: voice.note, logFolder, isStopping })]);
    return exitCodes.done;
  } catch (error) {
    line.clear();
    noteLines(voice, errorLine(messageOf(error)));
    return exitCodes.failed;
  } finally {
    isStopped = true;
    line.clear();
    voice.note('Stopping.');
    await stack.stop();
    release();
    voice.note(`Stopped. State is in ${stateFolder}/.`);
  }
}

const isRunning =
  `"npm run dev" is running already in this folder, and keeps its state in ${stateFolder}/. ` +
  'Use that one, or stop it with Ctrl-C in its terminal.';

/** Holds the state for this process alone. Undefined while another one has it. */
function takeFolder(): (() => void) | undefined {
  try {
    return lockFile(join(stateFolder, 'dev.lock'));
  } catch (error) {
    if (error instanceof HeldError) return undefined;
    throw error;
  }
}

/** The archive and the index are kept beside the rest of the state. */
function storeVariables() {
  const folder = resolve(stateFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { STEADFAST_STORE: `file:${join(folder, 'store.db')}` };
}

/** So is the ledger. */
const ledgerFile = join(stateFolder, 'ledger.db');

/** Without a policy, that of an earlier run is given up: its ledger still has the account. */
async function policyVariables(policy: string | undefined): Promise<Record<string, string>> {
  if (policy === undefined) {
    if (!existsSync(ledgerFile)) return {};
    const ledger = await ledgerAt(ledgerFile);
    await ledger.close();
    return { STEADFAST_LEDGER_REPLACES: ledger.id };
  }
  const ledger = `file:${resolve(ledgerFile)}`;
  return { STEADFAST_POLICY_FILE: resolve(policy), STEADFAST_LEDGER: ledger };
}

/** Keeps what each process prints, from this start on. */
function logger(folder: string): (from: StackPart, line: string) => void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return (from, line) => appendFileSync(join(folder, `${from}.log`), `${line}\n`);
}

type Told = { policy: string | undefined; pages: DevConsole; stopped: Promise<unknown> };

async function introduce(parts: StackParts, { policy, pages, stopped }: Told): Promise<string[]> {
  const { temporal, sandbox, taskQueue } = parts;
  const origin = parts.console?.origin ?? '';
  const { rpcUrl, chainId, blockchain } = await readSandboxInfo(sandbox.baseUrl);
  const variables = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    STEADFAST_TASK_QUEUE: taskQueue,
    CUSTODY_BASE_URL: sandbox.baseUrl,
    CUSTODY_API_KEY: parts.apiKey,
    CUSTODY_ENTITY_SECRET: parts.entitySecret,
    CHAIN_RPC_URL: rpcUrl,
    ...storeVariables(),
  };
  const exports = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [
    `${pc.green('✓')} Temporal  ${temporal.address}`,
    `${pc.green('✓')} Its UI    ${temporal.uiUrl ?? 'not started'}`,
    `${pc.green('✓')} Its HTTP  ${temporal.httpUrl}`,
    `${pc.green('✓')} Sandbox   ${sandbox.baseUrl}`,
    `${pc.green('✓')} Chain     ${rpcUrl} (${blockchain}, id ${chainId})`,
    `${pc.green('✓')} Webhooks  the service tells of final transactions, so that orders need not wait for a poll`,
    `${pc.green('✓')} Worker    serves queue "${taskQueue}"`,
    `${pc.green('✓')} Console   ${origin}`,
    ...(await pages.tell(origin, stopped)),
    ...(policy === undefined ? [] : await tellPolicy(policy, blockchain)),
    '',
    'In another terminal:',
    '',
    `  export ${exports.join(' ')}`,
    '  npx --no-install steadfast doctor',
    ...(policy === undefined ? firstOrders : firstUnder(policy)),
    '',
    `State is kept in ${stateFolder}/ and survives restarts, logs of this run in ${logFolder}/. ` +
      'Ctrl-C stops everything.',
  ];
}

/** Tells how the policy stands now that its writer has begun. */
async function tellPolicy(policyPath: string, blockchain: string): Promise<string[]> {
  const findings = await checkPolicy({ policyPath, ledgerPlace: ledgerFile }, blockchain);
  return findings.flatMap(tellFinding);
}

const firstOrders = [
  '  npx --no-install steadfast deploy --sequence --name "Acme Dollar" --symbol ACME --mint 1000000',
  '  npx --no-install steadfast transfer --sequence --name "First transfer" --amount 5 --token USDC',
];

/** A policy closes the faucet, so that no sequence can fund its own wallet. */
function firstUnder(policy: string): string[] {
  return [
    `  npx --no-install steadfast policy check ${policy}`,
    '',
    'With a policy the faucet is closed, and orders follow its rules: see',
    'docs/reference/policy.md.',
  ];
}
