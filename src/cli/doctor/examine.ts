import { pc } from '../../colors';
import { ConfigError, readCustodyConfig, readTemporalConfig } from '../../config';
import { type ExitCode, exitCodes, isBadInput } from '../exit';
import { createVoice } from '../voice';
import { checkChain } from './checkChain';
import { checkCustody } from './checkCustody';
import { checkNode } from './checkMachine';
import { checkTemporal } from './checkTemporal';
import { type Finding, fine, misconfigured, skipped } from './finding';

/** Looks at everything that orders need, says how to mend what is wrong, and moves nothing. */
export async function examine(options: {
  isJson: boolean;
  rpcUrl: string | undefined;
}): Promise<ExitCode> {
  const { isJson, rpcUrl } = options;
  const voice = createVoice(isJson);
  const findings = [checkNode(), ...(await Promise.all([temporal(), custody(rpcUrl)])).flat()];
  voice.document({ findings });
  if (!isJson) for (const line of findings.flatMap(tell)) voice.say(line);
  return codeOf(findings);
}

async function temporal(): Promise<Finding[]> {
  const config = read(readTemporalConfig);
  if ('fault' in config) return [wrongEnvironment('Environment, Temporal', config.fault)];
  const { namespace, taskQueue } = config.read;
  return [
    fine('Environment, Temporal', `namespace "${namespace}", queue "${taskQueue}"`),
    ...(await checkTemporal(config.read)),
  ];
}

async function custody(rpcUrl: string | undefined): Promise<Finding[]> {
  const config = read(readCustodyConfig);
  if ('fault' in config) {
    return [
      wrongEnvironment('Environment, service', config.fault),
      skipped('Service', 'not checked: its variables have to be mended first'),
    ];
  }
  const { baseUrl, blockchain } = config.read;
  return [
    fine('Environment, service', `${baseUrl}, ${blockchain}`),
    await checkCustody(config.read),
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

function wrongEnvironment(name: string, fault: string): Finding {
  return misconfigured(name, fault, 'Only a worker and this check need CUSTODY_*; see the README.');
}

const marks = { fine: pc.green('✓'), fault: pc.red('✗'), skipped: pc.dim('-') } as const;

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
