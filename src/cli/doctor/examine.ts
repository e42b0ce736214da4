import { type ReceiverSettings, readReceiver } from '../../client/answers/config';
import { type Privacy, readPrivacy } from '../../client/privacy/privacy';
import { type CustodyConfig, readCustodyConfig, readTemporalConfig } from '../../config';
import { createCustodyClient } from '../../custody/client';
import { checkChain } from '../../health/checkChain';
import { checkNotices } from '../../health/checkNotices';
import { fine, type HealthFinding, misconfigured, skipped } from '../../health/finding';
import { ConfigError } from '../../variables';
import { readDeployment, readWorkerConfig } from '../../worker/workerConfig';
import type { Call } from '../call';
import { type ExitCode, exitCodes, isBadInput } from '../exit';
import { checkBatches } from './chain/checkBatches';
import { checkNode } from './chain/checkNode';
import { checkAnswers } from './checkAnswers';
import { checkArchive } from './checkArchive';
import { checkClock } from './checkClock';
import { checkCustody } from './checkCustody';
import { checkNodeVersion } from './checkMachine';
import { checkPolicy } from './checkPolicy';
import { checkTemporal } from './checkTemporal';
import { tellFinding } from './tellFinding';

const deadlineMs = 5_000;

/** Checks everything that orders need, and says how to fix each fault. Moves nothing. */
export async function examine(call: Call): Promise<ExitCode> {
  const { voice } = call;
  const found = await Promise.all([temporal(call), custody(call)]);
  const findings = [checkNodeVersion(), ...found.flat()];
  voice.answer({ findings }, findings.flatMap(tellFinding));
  return codeOf(findings);
}

async function temporal({ flags, terminal, connect }: Call): Promise<HealthFinding[]> {
  const { env } = terminal;
  const environment = 'Environment, Temporal';
  const config = read(() => readTemporalConfig(env));
  if ('fault' in config) {
    return [
      misconfigured(environment, config.fault, 'Orders, workers and this check need them.'),
      skipped('Temporal', 'not checked: its variables have to be fixed first'),
    ];
  }
  const { namespace, taskQueue } = config.read;
  const deployment = read(() => readDeployment(env));
  const receiver = read(() => readReceiver(env));
  const worker = read(() => readWorkerConfig([], env));
  const ofWorkers = [deployment, worker].flatMap((of) => ('fault' in of ? [of.fault] : []));
  return [
    fine(environment, `namespace "${namespace}", queue "${taskQueue}"`),
    privacy(namespace, env),
    ...(await answers(receiver)),
    ...ofWorkers.map((fault) =>
      misconfigured(
        'Environment, worker',
        fault,
        'Unset them to do without. See docs/reference/configuration.md.',
      ),
    ),
    ...(await checkTemporal({
      config: config.read,
      deployment: 'fault' in deployment ? undefined : deployment.read,
      answers: 'read' in receiver && receiver.read !== undefined,
      isFixing: flags.fix === true,
      connect,
    })),
  ];
}

function privacy(namespace: string, env: NodeJS.ProcessEnv): HealthFinding {
  const environment = 'Environment, payloads';
  const config = read(() => readPrivacy(namespace, env));
  if ('read' in config) return fine(environment, tellPrivacy(config.read));
  return misconfigured(environment, config.fault, 'See docs/how-to/keep-payloads-private.md.');
}

/** Tells whether payloads are sealed. Keys appear only by their ids. */
function tellPrivacy({ keyIds }: Privacy): string {
  const [first, ...others] = keyIds;
  if (first === undefined) {
    return 'not encrypted: anyone who may read Temporal can read orders (STEADFAST_CODEC_KEYS)';
  }
  const more = others.length === 0 ? '' : `; ${others.map((id) => `"${id}"`).join(', ')} decrypt`;
  return `private, encrypted with the key "${first}"${more}`;
}

async function custody({ flags, terminal }: Call): Promise<HealthFinding[]> {
  const { env } = terminal;
  const rpcUrl = typeof flags.rpc === 'string' ? flags.rpc : env.CHAIN_RPC_URL;
  const environment = 'Environment, service';
  const whole = read(() => readCustodyConfig(env));
  // A writer of a main network needs the digest of a key, which only the service tells.
  const config = 'fault' in whole ? read(() => readCustodyConfig(env, { signs: false })) : whole;
  const mend = 'Only a worker and this check need CUSTODY_*; see docs/reference/configuration.md.';
  const faults = 'fault' in whole ? [misconfigured(environment, whole.fault, mend)] : [];
  if ('fault' in config) {
    const words = 'not checked: its variables have to be fixed first';
    return [...faults, skipped('Service', words)];
  }
  const { baseUrl, blockchain } = config.read;
  return [
    ...(faults.length > 0 ? faults : [fine(environment, `${baseUrl}, ${blockchain}`)]),
    ...(await checkCustody(config.read)),
    await checkClock(baseUrl),
    await checkNotices(createCustodyClient({ ...config.read, deadlineMs })),
    ...(await policy(env, config.read)),
    ...(await archive(env)),
    ...(await chain(rpcUrl, blockchain)),
  ];
}

/** The policy of a writer with this environment. A fault of its variables is told with them. */
async function policy(env: NodeJS.ProcessEnv, config: CustodyConfig): Promise<HealthFinding[]> {
  const worker = read(() => readWorkerConfig([], env));
  if ('fault' in worker || worker.read.authority === undefined) return [];
  const { blockchain } = config;
  return checkPolicy(worker.read.authority, blockchain, createCustodyClient(config));
}

/** The receiver of the ends of orders, if this environment has one. */
async function answers(receiver: Read<ReceiverSettings | undefined>): Promise<HealthFinding[]> {
  const mend = 'Unset them to tell nobody. See docs/how-to/tell-your-erp.md.';
  if ('fault' in receiver) return [misconfigured('Environment, answers', receiver.fault, mend)];
  return receiver.read === undefined ? [] : [await checkAnswers(receiver.read)];
}

/** The archive of a worker with this environment. */
async function archive(env: NodeJS.ProcessEnv): Promise<HealthFinding[]> {
  const worker = read(() => readWorkerConfig([], env));
  if ('fault' in worker || worker.read.store === undefined) return [];
  return [await checkArchive(worker.read.store)];
}

async function chain(rpcUrl: string | undefined, blockchain: string): Promise<HealthFinding[]> {
  if (rpcUrl === undefined || rpcUrl === '') {
    return [skipped('Chain', 'not checked: CHAIN_RPC_URL is not set, which is fine')];
  }
  const found = await checkChain(rpcUrl, blockchain);
  if (found.state !== 'fine') return [found, skipped('Batches', 'not checked: see the chain')];
  return [found, await checkNode(rpcUrl, blockchain), await checkBatches(rpcUrl, blockchain)];
}

type Read<Config> = { read: Config } | { fault: string };

function read<Config>(readConfiguration: () => Config): Read<Config> {
  try {
    return { read: readConfiguration() };
  } catch (error) {
    if (error instanceof ConfigError || isBadInput(error)) return { fault: error.message };
    throw error;
  }
}

/** A fault of the configuration decides, since it explains the others. */
function codeOf(findings: readonly HealthFinding[]): ExitCode {
  if (findings.some((finding) => finding.belongsTo === 'configuration')) return exitCodes.badInput;
  if (findings.some((finding) => finding.belongsTo === 'operator')) return exitCodes.needsOperator;
  return exitCodes.done;
}
