import { upsertMemo } from '@temporalio/workflow';
import type { Found, Trace as FoundTrace } from '../../activities/lookUp';
import { cancelledSentence, type Finding, sentence } from '../../src/orders/progress/resolve';
import { memoryKey } from '../../src/orders/progress/status';
import { cancelled } from '../order/cancel';
import { longReads, stopOf } from '../order/custody';
import type { Asked, LiveOrder } from '../order/liveOrder';
import { asked } from '../order/show';
import { type Expected, mismatches } from './compare';
import { refusalOf } from './finding';
import { happened, identity, stateOf } from './happened';
import type { Step } from './step';
import type { Trace } from './writeState';

/** Answers a person whose finding has become needless. */
export function answerWith(live: LiveOrder, words: string): void {
  live.asked?.answer(words);
  live.asked = undefined;
}

/**
 * Compares a person's finding with what the service says, and takes it into the write if it holds.
 * A look-up has just found nothing.
 */
export async function weigh<T>(live: LiveOrder, step: Step<T>, question: Asked): Promise<void> {
  const { finding } = question;
  try {
    const named = await recordIn(step, finding, identity(live, step).parts);
    const { keyLifetimeMs } = live.opened;
    const given = { finding, ...named };
    const refusal = refusalOf(stateOf(live, step), given, { nowMs: Date.now(), keyLifetimeMs });
    if (refusal !== undefined) return question.refuse(refusal);
    const { stage, generation } = happened(live, step, { kind: 'found', ...given });
    remember(live, step, generation);
    asked(live, `resolved: ${finding.target} is ${finding.finding}, ${finding.evidence}`);
    live.parked = undefined;
    // Where the chain is read, a retry waits for what it says of the record.
    const heard = stage === 'accepted' ? ({ ...finding, finding: 'completed' } as const) : finding;
    question.answer(stage === 'stopped' ? cancelledSentence(finding) : sentence(heard));
    // Whoever cancels and finds that nothing was accepted has it cancelled.
    if (stage === 'stopped') throw cancelled({ finding });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    question.refuse(stop.message);
  } finally {
    live.asked = undefined;
  }
}

/** Later runs of the id must know of a new attempt, also if this run ends without a word. */
function remember(
  live: LiveOrder,
  { step, item }: { step: string; item: string },
  generation: number,
) {
  const { memory } = live.opened;
  const path = `${step}/${item}`;
  if (generation <= (memory.generations[path] ?? 0)) return;
  memory.generations = { ...memory.generations, [path]: generation };
  upsertMemo({ [memoryKey]: memory });
}

/** The record that a finding names, and how it differs from what was ordered. */
export async function recordIn<T>(
  { find, expected }: Pick<Step<T>, 'find' | 'expected'>,
  { finding, evidence }: Finding,
  parts: Parameters<Step<T>['find']>[1]['parts'],
): Promise<{ trace?: Trace; faults?: string[] }> {
  if (finding !== 'completed' && finding !== 'retry') return {};
  const found = await find(longReads(`read what was found: ${evidence}`), {
    parts,
    named: evidence,
  });
  const trace = only(found);
  if (trace?.record === undefined) return {};
  const { record } = trace;
  return { trace, faults: mismatches(record, expected ?? anyOn(record.blockchain)) };
}

const anyOn = (blockchain: string): Expected => ({ blockchain });

function only<T>({ traces }: Found<T>): FoundTrace<T> | undefined {
  return traces.length === 1 ? traces[0] : undefined;
}
