import { condition } from '@temporalio/workflow';
import type { Found, Trace } from '../../activities/lookUp';
import { cancelledSentence, type Finding, sentence } from '../../src/orders/progress/resolve';
import { cancelled } from '../order/cancel';
import { longReads, stopOf } from '../order/custody';
import { type Asked, type LiveOrder, targetOf, type WriteState } from '../order/liveOrder';
import { asked, showAll, stumbled } from '../order/show';
import { continueWhenLong } from '../order/wait';
import { type Expected, mismatches } from './compare';
import { parkedDelayMs, troubleDelayMs } from './delays';
import { hadNoEffect, lookFor, note } from './lookUp';
import type { Sought } from './step';

/** A write that may be in doubt. */
export type InDoubt<T> = Sought<T> & {
  /** What its record must say, where it is a transaction. */
  expected?: Expected;
};

/** What a person's finding came to: taken, or to be sent (undefined). */
type Decision<T> = { accepted: T | undefined };

/**
 * Looks for a write that may have been taken, until it is found: over the grace period, since not
 * finding it at once proves nothing, and then ever more slowly, with a person asked to decide.
 * Returns undefined when it was decided that it is to be sent again.
 */
export async function decide<T>(
  live: LiveOrder,
  write: InDoubt<T>,
  state: WriteState,
): Promise<T | undefined> {
  try {
    for (;;) {
      // A finding that comes while the list is read is held against a list read after it.
      const { asked: question } = live;
      const { accepted } = await lookFor(live, write, state);
      if (accepted !== undefined) {
        live.asked?.answer(`${targetOf(state.identity.parts)} was found in the service's list.`);
        live.asked = undefined;
        return accepted;
      }
      const decision = question && (await weigh(live, write, state, question));
      if (decision !== undefined) {
        delete state.doubt;
        return decision.accepted;
      }
      await waitForNews(live, write, state);
      await continueWhenLong(live);
    }
  } finally {
    live.parked = undefined;
  }
}

async function waitForNews<T>(
  live: LiveOrder,
  { doing }: InDoubt<T>,
  state: WriteState,
): Promise<void> {
  const { doubt, identity, evidence } = state;
  if (doubt === undefined) return;
  const target = targetOf(identity.parts);
  const leftMs = doubt.sinceMs + live.opened.lookupGraceMs - Date.now();
  doubt.looks += 1;
  if (leftMs > 0) {
    const waitingFor = `a trace of the ${doing}, which may have been taken: ${doubt.why}`;
    stumbled(live, `the ${doing} may have been taken, and is looked for: ${doubt.why}`);
    showAll(live, 'Preparing', { waitingFor, target, evidence });
    const delayMs = Math.min(troubleDelayMs(doubt.looks), leftMs);
    await condition(() => live.woken, delayMs, { summary: `look again for the ${doing}` });
  } else {
    doubt.parkedLooks = (doubt.parkedLooks ?? 0) + 1;
    const waitingFor = `someone to say what became of the ${doing}. ${doubt.why}`;
    stumbled(live, `nobody knows what became of the ${doing}. ${doubt.why}`);
    showAll(live, 'Unknown', { waitingFor, target, evidence });
    live.parked = { target, youngUntilMs: identity.bornAtMs + live.opened.keyLifetimeMs };
    const isNews = () => live.woken || live.asked !== undefined;
    const delayMs = parkedDelayMs(doubt.parkedLooks);
    await condition(isNews, delayMs, { summary: `unknown: what became of the ${doing}?` });
  }
  live.woken = false;
}

/** Holds what a person has found against what the service says; a look has just found nothing. */
async function weigh<T>(
  live: LiveOrder,
  write: InDoubt<T>,
  state: WriteState,
  question: Asked,
): Promise<Decision<T> | undefined> {
  const { finding } = question;
  try {
    const decision =
      finding.finding === 'noEffect'
        ? { accepted: undefined }
        : await weighRecord(write, state, finding);
    note(state, `somebody found: ${finding.finding}, ${finding.evidence}`);
    asked(live, `resolved: ${finding.target} is ${finding.finding}, ${finding.evidence}`);
    // Whoever cancels and finds that nothing was taken has it cancelled.
    const isOver = decision.accepted === undefined && live.carried.cancelAsked;
    question.answer(isOver ? cancelledSentence(finding) : sentence(finding));
    if (isOver) throw cancelled({ finding });
    return decision;
  } catch (error) {
    const reason = error instanceof Unfit ? error.message : stopOf(error)?.message;
    if (reason === undefined) throw error;
    question.refuse(reason);
    return undefined;
  } finally {
    live.asked = undefined;
  }
}

/** Why a finding does not hold. */
export class Unfit extends Error {}

/** What the record comes to that a finding names: it is that of the write, and stands as found. */
export async function weighRecord<T>(
  write: InDoubt<T>,
  state: WriteState,
  { finding, evidence }: Finding,
): Promise<Decision<T>> {
  const { identity } = state;
  const search = { parts: identity.parts, named: evidence };
  const found = await write.find(longReads(`read what was found: ${evidence}`), search);
  const { accepted, record } = only(found, evidence);
  const faults = mismatches(record, write.expected ?? { blockchain: record.blockchain });
  if (faults.length > 0) {
    throw new Unfit(`evidence: ${evidence} is not what was ordered: ${faults.join('; ')}.`);
  }
  const isOver = hadNoEffect(record);
  if (finding === 'completed') {
    if (isOver) throw new Unfit(`evidence: ${evidence} is ${record.state}. Its finding is retry.`);
    return { accepted };
  }
  if (!isOver) {
    throw new Unfit(
      `evidence: ${evidence} is ${record.state}. A new attempt needs one that is FAILED, DENIED ` +
        'or CANCELLED; the finding completed goes on from this one.',
    );
  }
  const parts = { ...identity.parts, generation: identity.parts.generation + 1 };
  state.identity = { ...identity, parts, earlierTries: 'clean', bornAtMs: Date.now() };
  return { accepted: undefined };
}

function only<T>({ traces }: Found<T>, evidence: string): Required<Trace<T>> {
  const [trace, ...others] = traces;
  if (trace?.record !== undefined && others.length === 0) return { ...trace, record: trace.record };
  throw new Unfit(
    `evidence: ${evidence} is no transaction of this write. Its reference names another one, or ` +
      'the wallet has none by that name.',
  );
}
