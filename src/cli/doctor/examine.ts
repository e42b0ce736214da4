import { pc } from '../../colors';
import { ConfigError, readCustodyConfig, readTemporalConfig } from '../../config';
import { readPrivacy } from '../../privacy/privacy';
import { readDeployment, readWorkerConfig } from '../../workerConfig';
import { type ExitCode, exitCodes, isBadInput } from '../exit';
import { createVoice } from '../voice';
import { checkChain } from './checkChain';
import { checkClock } from './checkClock';
import { checkCustody } from './checkCustody';
import { checkNode } from './checkMachine';
import { checkTemporal } from './checkTemporal';
import { type Finding, fine, misconfigured, skipped } from './finding';
import { tellPrivacy } from './tellPrivacy';

export type Examination = {
  isJson: boolean;
  rpcUrl: string | undefined;
  /** Registers search attributes that are missing; all else is for a person to decide. */
  isFixing: boolean;
};

/** Looks at everything that orders need, says how to mend what is wrong, and moves nothing. */
export async function examine(examination: Examination): Promise<ExitCode> {
  const { isJson, rpcUrl, isFixing } = examination;
  const voice = createVoice(isJson);
  const found = await Promise.all([temporal(isFixing), custody(rpcUrl)]);
  const findings = [checkNode(), ...found.flat()];
  voice.document({ findings });
  if (!isJson) for (const line of findings.flatMap(tell)) voice.say(line);
  return codeOf(findings);
}

async function temporal(isFixing: boolean): Promise<Finding[]> {
  const environment = 'Environment, Temporal';
  const config = read(readTemporalConfig);
  if ('fault' in config) {
    return [
      misconfigured(environment, config.fault, 'Orders, workers and this check need them.'),
      skipped('Temporal', 'not checked: its variables have to be mended first'),
    ];
  }
  const { namespace, taskQueue } = config.read;
  const deployment = read(readDeployment);
  const worker = read(() => readWorkerConfig());
  const ofWorkers = [deployment, worker].flatMap((of) => ('fault' in of ? [of.fault] : []));
  return [
    fine(environment, `namespace "${namespace}", queue "${taskQueue}"`),
    privacy(namespace),
    ...ofWorkers.map((fault) =>
      misconfigured(
        'Environment, worker',
        fault,
        'Unset them to do without; see docs/reference/configuration.md.',
      ),
    ),
    ...(await checkTemporal({
      config: config.read,
      deployment: 'fault' in deployment ? undefined : deployment.read,
      isFixing,
    })),
  ];
}

function privacy(namespace: string): Finding {
  const environment = 'Environment, payloads';
  const config = read(() => readPrivacy(namespace));
  if ('read' in config) return fine(environment, tellPrivacy(config.read));
  return misconfigured(environment, config.fault, 'See docs/how-to/keep-payloads-private.md.');
}

async function custody(rpcUrl: string | undefined): Promise<Finding[]> {
  const environment = 'Environment, service';
  const config = read(readCustodyConfig);
  if ('fault' in config) {
    const mend =
      'Only a worker and this check need CUSTODY_*; see docs/reference/configuration.md.';
    return [
      misconfigured(environment, config.fault, mend),
      skipped('Service', 'not checked: its variables have to be mended first'),
    ];
  }
  const { baseUrl, blockchain } = config.read;
  return [
    fine(environment, `${baseUrl}, ${blockchain}`),
    ...(await checkCustody(config.read)),
    await checkClock(baseUrl),
    rpcUrl === undefined || rpcUrl === ''
      ? skipped('Chain', 'not checked: CHAIN_RPC_URL is not set, which is fine')
      : await checkChain(rpcUrl, blockchain),
  ];
}

function read<Config>(readConfiguration: () => Config): { read: Config } | { fault: string } {
  try {
    return { read: readConfiguration() };
  } catch (error) {
    if (error instanceof ConfigError || isBadInput(error)) return { fault: error.message };
    throw error;
  }
}

const marks = {
  fine: pc.green('✓'),
  fixed: pc.green('✓'),
  fault: pc.red('✗'),
  skipped: pc.dim('-'),
} as const;

function tell(finding: Finding): string[] {
  const { name, state, words, mend } = finding;
  const line = `${marks[state]} ${name}: ${words}`;
  return mend === undefined ? [line] : [line, `    ${mend}`];
}

/** Configuration goes first: what is wrong there explains the rest. */
function codeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some((finding) => finding.belongsTo === 'configuration')) return exitCodes.badInput;
  if (findings.some((finding) => finding.belongsTo === 'operator')) return exitCodes.needsOperator;
  return exitCodes.done;
}
