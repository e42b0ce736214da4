import { condition } from '@temporalio/workflow';
import type { Found, Trace } from '../activities/lookUp';
import { cancelledSentence, type Finding, sentence } from '../src/orders/resolve';
import { cancelled } from './cancel';
import { type Expected, mismatches } from './compare';
import { longReads, stopOf } from './custody';
import { parkedDelayMs, troubleDelayMs } from './delays';
import { hadNoEffect, lookFor, note, type Sought } from './lookUp';
import { type Run, targetOf, type WriteState } from './run';
import { asked, showAll, stumbled } from './show';
import { continueWhenLong } from './wait';

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
  run: Run,
  write: InDoubt<T>,
  state: WriteState,
): Promise<T | undefined> {
  for (;;) {
    const { accepted } = await lookFor(run, write, state);
    if (accepted !== undefined) {
      run.asked?.answer(`${targetOf(state.identity.parts)} was found in the service's list.`);
      run.asked = undefined;
      return accepted;
    }
    const decision = await weigh(run, write, state);
    if (decision !== undefined) {
      delete state.doubt;
      return decision.accepted;
    }
    await waitForNews(run, write, state);
    await continueWhenLong(run);
  }
}

async function waitForNews<T>(run: Run, { doing }: InDoubt<T>, state: WriteState): Promise<void> {
  const { doubt, identity, evidence } = state;
  if (doubt === undefined) return;
  const target = targetOf(identity.parts);
  const leftMs = doubt.sinceMs + run.opened.lookupGraceMs - Date.now();
  doubt.looks += 1;
  if (leftMs > 0) {
    const waitingFor = `a trace of the ${doing}, which may have been taken: ${doubt.why}`;
    stumbled(run, `the ${doing} may have been taken, and is looked for: ${doubt.why}`);
    showAll(run, 'Preparing', { waitingFor, target, evidence });
    const delayMs = Math.min(troubleDelayMs(doubt.looks), leftMs);
    await condition(() => run.woken, delayMs, { summary: `look again for the ${doing}` });
  } else {
    doubt.parkedLooks = (doubt.parkedLooks ?? 0) + 1;
    const waitingFor = `someone to say what became of the ${doing}. ${doubt.why}`;
    stumbled(run, `nobody knows what became of the ${doing}. ${doubt.why}`);
    showAll(run, 'Unknown', { waitingFor, target, evidence });
    run.parked = { target, youngUntilMs: identity.bornAtMs + run.opened.keyLifetimeMs };
    const isNews = () => run.woken || run.asked !== undefined;
    const delayMs = parkedDelayMs(doubt.parkedLooks);
    await condition(isNews, delayMs, { summary: `unknown: what became of the ${doing}?` });
    run.parked = undefined;
  }
  run.woken = false;
}

/** Holds what a person has found against what the service says; a look has just found nothing. */
async function weigh<T>(
  run: Run,
  write: InDoubt<T>,
  state: WriteState,
): Promise<Decision<T> | undefined> {
  const { asked: question } = run;
  if (question === undefined) return undefined;
  const { finding } = question;
  try {
    const decision =
      finding.finding === 'noEffect'
        ? { accepted: undefined }
        : await weighRecord(write, state, finding);
    note(state, `somebody found: ${finding.finding}, ${finding.evidence}`);
    asked(run, `resolved: ${finding.target} is ${finding.finding}, ${finding.evidence}`);
    // Whoever cancels and finds that nothing was taken has it cancelled.
    const isOver = decision.accepted === undefined && run.carried.cancelAsked;
    question.answer(isOver ? cancelledSentence(finding) : sentence(finding));
    if (isOver) throw cancelled({ finding });
    return decision;
  } catch (error) {
    const reason = error instanceof Unfit ? error.message : stopOf(error)?.message;
    if (reason === undefined) throw error;
    question.refuse(reason);
    return undefined;
  } finally {
    run.asked = undefined;
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
