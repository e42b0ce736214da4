import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
} from '@temporalio/common/lib/failure';
import { graceMs } from '../../world';
import { now, Run } from './run';
import type { Call, Happened, Outcome, Question, Told } from './told';

/*
 * Plays one run at a time. A run begins, and hears one thing after the other. Each time it goes on
 * until it waits.
 */

type Workflow = (order: unknown, carried?: unknown) => Promise<unknown>;

type Named = Pick<Call, 'name'>;

/** Begins a run. */
export function begin(workflows: Record<string, Workflow>, text: string, clockMs: number): void {
  const question: Question = JSON.parse(text);
  const own = new Run(question);
  now.run = own;
  own.clockMs = clockMs;
  own.heard = 1;
  const workflow = workflows[question.workflow];
  if (workflow === undefined) throw new Error(`${question.workflow} is no workflow.`);
  const end = (outcome: Outcome): void => {
    own.outcome ??= outcome;
  };
  void workflow(question.order, question.carried).then(
    () => end({ kind: 'completed' }),
    (error: unknown) => end(endOf(error)),
  );
}

function endOf(error: unknown): Outcome {
  if (error instanceof CancelledFailure) return { kind: 'cancelled' };
  if (error instanceof ApplicationFailure) {
    const { type, message, details } = error;
    return { kind: 'failed', type: String(type), message, details: plain(details?.[0]) };
  }
  return { kind: 'crashed', message: String(error) };
}

/** The details of an end, as Temporal keeps them. */
function plain(details: unknown): object {
  return JSON.parse(JSON.stringify(details ?? {}));
}

/** One thing happens to the run. */
export function hear(text: string, clockMs: number): void {
  const happened: Happened = JSON.parse(text);
  now.run.clockMs = clockMs;
  now.run.heard += 1;
  if (happened.kind === 'timer') {
    ring();
    return;
  }
  const isAlone = now.run.asked.length === 0;
  if (happened.kind === 'message') {
    if (isAlone) now.run.isLong = true;
    deliver(happened.name, happened.given);
    return;
  }
  now.run.isLong = true;
  const at = now.run.asked.findIndex(({ number }) => number === happened.call);
  const [asked] = now.run.asked.splice(at, 1);
  if (at < 0 || asked === undefined) throw new Error(`Nothing waits for call ${happened.call}.`);
  if (happened.failure === undefined) {
    asked.answer(happened.value);
    return;
  }
  const { type, message, facts } = happened.failure;
  asked.fail(type === undefined ? lost(asked) : activityFailure(asked, { type, message, facts }));
}

function activityFailure(
  { name }: Named,
  { type, message, facts }: { type: string; message: string; facts: object },
): Error {
  const why = ApplicationFailure.create({ message, type, nonRetryable: true, details: [facts] });
  return new ActivityFailure(message, name, 'activity', 'NON_RETRYABLE_FAILURE', undefined, why);
}

/** No worker answers in time. */
function lost({ name }: Named): Error {
  const why = new TimeoutFailure('no answer', undefined, 'START_TO_CLOSE');
  return new ActivityFailure('lost', name, 'activity', 'TIMEOUT', undefined, why);
}

function ring(): void {
  const [first] = [...now.run.timers].sort((one, other) => one.atMs - other.atMs);
  if (first === undefined) throw new Error('No timer runs.');
  now.run.timers.delete(first);
  first.ring();
}

function deliver(name: string, given: unknown): void {
  const own = now.run;
  const known = own.handlers.get(name);
  if (known === undefined) throw new Error(`Nobody hears ${name}.`);
  try {
    known.validator?.(given);
  } catch (error) {
    own.answers.push({ refused: String(error) });
    return;
  }
  own.busy += 1;
  const answered = (answer: Told['answers'][number]): void => {
    own.busy -= 1;
    own.answers.push(answer);
  };
  const work = async (): Promise<unknown> => known.handler(given);
  void work().then(
    (value) => answered({ said: String(value) }),
    (error: unknown) => answered({ refused: String(error) }),
  );
}

/** Ends the waits whose condition is met, and else the way of a signal. Returns if there were any. */
export function goOn(): boolean {
  const { waiting, signals } = now.run;
  const met = [...waiting].filter(({ isMet }) => isMet());
  for (const one of met) {
    waiting.delete(one);
    one.go();
  }
  const arrive = met.length > 0 ? undefined : signals.shift();
  arrive?.();
  return met.length > 0 || arrive !== undefined;
}

/** The place of the run, in JSON: a `Told`. */
export function told(): string {
  const { asked, timers, memo, busy, answers, outcome, carried, names } = now.run;
  const calls = asked.map(({ number, name, given, isOld, askedAtMs }) => {
    return { number, name, given, isOld, askedAtMs };
  });
  const rests = [...timers].some(({ atMs }) => atMs < now.run.clockMs + graceMs);
  const isAsked = busy > 0;
  const shown = shownNow();
  return JSON.stringify({ calls, memo, answers, outcome, carried, shown, names, rests, isAsked });
}

/** The answer to the query of the question. Undefined if the run refuses it yet. */
function shownNow(): unknown {
  const { handlers, question } = now.run;
  try {
    return handlers.get(question.asks ?? '')?.handler();
  } catch {
    return undefined;
  }
}
