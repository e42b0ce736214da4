import { ApplicationFailure } from '@temporalio/workflow';
import {
  cancelledSentence,
  type Finding,
  faultOf,
  sentence,
} from '../../../src/orders/progress/resolve';
import { stopOf } from '../../order/custody';
import type { WriteState } from '../../order/liveOrder';
import { Unfit, weighRecord } from '../../write/doubt';
import { attemptAnew, moveTo, note } from './move';
import { seekNow } from './seekLines';
import { identityOf, type Line, linesAt, type Shard, stepOf, targetOf } from './shard';

/** Throws where a finding cannot be used: it counts only while exactly that line is unknown. */
export function refuseUnfit(shard: Shard, finding: Finding): void {
  const fault = faultOf(finding, { maySkip: true });
  if (fault !== undefined) throw new Error(fault);
  const line = unknownLine(shard, finding.target);
  if (line === undefined) {
    throw new Error(`target: ${finding.target} is not a line that waits for a finding.`);
  }
  const { stopped } = shard.carried.steer;
  const { bornAtMs = shard.carried.bornAtMs } = line.state;
  const isOld = Date.now() > bornAtMs + shard.order.terms.keyLifetimeMs;
  if (finding.finding === 'noEffect' && stopped === undefined && isOld) {
    throw new Error(
      `finding: the key of ${finding.target} is older than CUSTODY_KEY_LIFETIME_HOURS, and the ` +
        'service may have forgotten it, so that it is never sent again. Find the record, or skip it.',
    );
  }
}

/** Holds a person's finding against what the service says. Returns what follows from it. */
export async function decideLine(shard: Shard, finding: Finding): Promise<string> {
  const line = unknownLine(shard, finding.target);
  if (line === undefined) throw refusal(`target: ${finding.target} is not unknown any more.`);
  try {
    return await weigh(shard, line, finding);
  } catch (error) {
    const reason = error instanceof Unfit ? error.message : stopOf(error)?.message;
    throw reason === undefined ? error : refusal(reason);
  } finally {
    shard.woken = true;
  }
}

async function weigh(shard: Shard, line: Line, finding: Finding): Promise<string> {
  const { evidence } = finding;
  note(line, `somebody found: ${finding.finding}, ${evidence}`);
  if (finding.finding === 'skip') {
    moveTo(line, 'givenUp', { reason: `Given up: ${evidence}` });
    return sentence(finding);
  }
  if (finding.finding === 'noEffect') return sendAgain(shard, line, finding);
  const state: WriteState = { stage: 'open', evidence: [], identity: identityOf(shard, line) };
  const { accepted } = await weighRecord(stepOf(shard, line), state, finding);
  if (line.state.stage !== 'unknown') throw new Unfit(`${finding.target} is not unknown any more.`);
  if (accepted === undefined) attemptAnew(line, state.identity.parts.generation);
  else moveTo(line, 'sent', { transactionId: accepted.transactionId });
  return sentence(finding);
}

/** The same under the same key, after one more look in vain. */
async function sendAgain(shard: Shard, line: Line, finding: Finding): Promise<string> {
  const { stopped } = shard.carried.steer;
  if (!(await seekNow(shard, [line]))) throw new Unfit('The service does not tell now. Try again.');
  if (line.state.stage !== 'unknown') return `${finding.target} was found in the service's list.`;
  if (stopped === undefined) {
    moveTo(line, 'waiting');
    return sentence(finding);
  }
  moveTo(line, 'skipped', { reason: stopped });
  return cancelledSentence(finding);
}

function unknownLine(shard: Shard, target: string): Line | undefined {
  return linesAt(shard, 'unknown').find((line) => targetOf(line) === target);
}

function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'Refused');
}
