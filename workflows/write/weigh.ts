import { upsertMemo } from '@temporalio/workflow';
import {
  cancelledSentence,
  type Finding,
  provenFirst,
  sentence,
} from '../../src/orders/progress/resolve';
import { memoryKey } from '../../src/orders/progress/status';
import { longReads, refusal } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { noteRequest } from '../order/show';
import { mismatches } from './machine/compare';
import { isPaidBy, refusalOf } from './machine/finding';
import type { Trace, WriteState } from './machine/writeState';
import type { Step, WriteName } from './step';
import { pathOf, type Writes, type WritesOwner } from './writes';

/**
 * Gives up a write whose records contradict each other, if its order was cancelled meanwhile. The
 * contradiction may last for ever. The caller reads the records once more before. Where they agree
 * by then, nothing is given up, nor later.
 */
export function giveUpWhenAsked(live: LiveOrder, step: WriteName, state: WriteState): void {
  const { stage, paidIn, record } = state;
  const { givesUp } = live;
  const isDisputed = stage === 'disputed';
  if (!givesUp?.target.startsWith(`${pathOf(step)}#`) || (isDisputed && record)) return;
  live.givesUp = undefined;
  const isSame = givesUp.target === live.writes.targetOf(step);
  if (!isDisputed || !isSame || paidIn !== undefined) return;
  live.writes.hear(step, { kind: 'found', finding: givesUp });
  keepFinding(live, step, givesUp);
}

/** Keeps a finding that has been applied: for later runs, and in the timeline. */
export function keepFinding(live: LiveOrder, step: WriteName, finding: Finding): void {
  remember(live, step, live.writes.stateOf(step));
  noteRequest(live, `resolved: ${finding.target} is ${finding.finding}, ${finding.evidence}`);
}

/**
 * Compares a person's finding with what the service says, and applies it to the write if it holds.
 * The finding noEffect needs a look-up just before. Returns the answer to that person, or throws
 * the reason why it is refused.
 */
export async function weigh<T>(
  live: WritesOwner & { writes: Writes },
  step: Step<T>,
  finding: Finding,
): Promise<string> {
  const { parts } = live.writes.identityOf(step);
  const isShown = isPaidBy(live.writes.stateOf(step), finding);
  const given = { finding, ...(isShown ? {} : await recordIn(step, finding, parts)) };
  const { keyLifetimeMs } = live.opened;
  const fault = refusalOf(live.writes.stateOf(step), given, { nowMs: Date.now(), keyLifetimeMs });
  if (fault !== undefined) throw refusal(fault);
  const { stage, goesOnAs } = live.writes.hear(step, { kind: 'found', ...given });
  if (stage === 'stopped') return cancelledSentence(finding);
  return goesOnAs === undefined ? sentence(finding) : provenFirst(finding);
}

/**
 * Writes the finding, or the new generation, to the memo. Later runs of the id need both, also
 * where this run is terminated. The transaction that somebody named may lack the reference that
 * they look for.
 */
export function remember(
  live: LiveOrder,
  step: WriteName,
  { accepted, generation, goesOnAs }: WriteState,
): void {
  const { memory } = live.opened;
  const path = pathOf(step);
  const isNew = generation > (memory.generations[path] ?? 0);
  if (accepted !== undefined && goesOnAs === undefined) {
    memory.findings = { ...memory.findings, [live.writes.targetOf(step)]: accepted };
  } else if (isNew) {
    memory.generations = { ...memory.generations, [path]: generation };
  } else return;
  upsertMemo({ [memoryKey]: memory });
}

/** The record that a finding names, and how it differs from what was ordered. */
async function recordIn<T>(
  { find, expected }: Pick<Step<T>, 'find' | 'expected'>,
  { finding, evidence }: Finding,
  parts: Parameters<Step<T>['find']>[1]['parts'],
): Promise<{ trace?: Trace; faults?: string[] }> {
  if (finding !== 'completed' && finding !== 'retry') return {};
  const found = await find(longReads(`read what was found: ${evidence}`), {
    parts,
    named: evidence,
  });
  const trace = found.traces.length === 1 ? found.traces[0] : undefined;
  if (trace?.record === undefined) return {};
  const { record } = trace;
  return { trace, faults: mismatches(record, expected ?? { blockchain: record.blockchain }) };
}
