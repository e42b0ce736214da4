import { ApplicationFailure } from '@temporalio/workflow';
import {
  cancelledSentence,
  type Finding,
  faultOf,
  sentence,
} from '../../../src/orders/progress/resolve';
import { stopOf } from '../../order/custody';
import { recordIn } from '../../write/ask';
import { refusalOf } from '../../write/finding';
import { isAsking } from '../../write/writeState';
import { lookUpNow } from './lookUpLines';
import { happened, identityOf, type Line, linesAt, type Shard, stepOf, targetOf } from './shard';

/** Throws if a finding cannot be used. It counts only while exactly that line waits for one. */
export function refuseUnfit(shard: Shard, finding: Finding): void {
  const fault = faultOf(finding);
  if (fault !== undefined) throw new Error(fault);
  const line = askingLine(shard, finding.target);
  if (line === undefined) {
    throw new Error(`target: ${finding.target} is not a line that waits for a finding.`);
  }
  if (finding.finding !== 'noEffect') return;
  const refusal = refusalOf(line.state, { finding }, now(shard));
  if (refusal !== undefined) throw new Error(refusal);
}

/** Compares a person's finding with what the service says. Returns what follows from it. */
export async function decideLine(shard: Shard, finding: Finding): Promise<string> {
  const line = askingLine(shard, finding.target);
  if (line === undefined)
    throw refused(`target: ${finding.target} does not wait for a finding any more.`);
  try {
    return await weigh(shard, line, finding);
  } catch (error) {
    const stop = stopOf(error);
    throw stop === undefined ? error : refused(stop.message);
  } finally {
    shard.woken = true;
  }
}

async function weigh(shard: Shard, line: Line, finding: Finding): Promise<string> {
  if (finding.finding === 'noEffect' && !(await lookUpNow(shard, [line]))) {
    throw refused('The service does not answer now. Try again.');
  }
  const { parts } = identityOf(shard, line);
  const given = { finding, ...(await recordIn(stepOf(shard, line), finding, parts)) };
  if (!isAsking(line.state)) return `${finding.target} was found in the service's list.`;
  const refusal = refusalOf(line.state, given, now(shard));
  if (refusal !== undefined) throw refused(refusal);
  const { stage } = happened(shard, line, { kind: 'found', ...given });
  return stage === 'stopped' ? cancelledSentence(finding) : sentence(finding);
}

function now({ order }: Shard) {
  return { nowMs: Date.now(), keyLifetimeMs: order.terms.keyLifetimeMs };
}

function askingLine(shard: Shard, target: string): Line | undefined {
  return linesAt(shard, 'unknown', 'disputed').find((line) => targetOf(line) === target);
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'Refused');
}
