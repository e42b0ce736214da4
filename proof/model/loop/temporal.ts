import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
} from '@temporalio/common/lib/failure';
import type { Call, Happened, Outcome, Question, Told } from './told';

/**
 * Temporal, as far as the product's workflows use it. The bundle of a workflow has this module in
 * the place of `@temporalio/workflow`. It plays one run at a time: a run begins, hears what happens
 * one after the other, and each time goes on until it waits.
 */
export { ActivityFailure, ApplicationFailure, CancelledFailure };

type Handler = { handler: (...given: unknown[]) => unknown; validator?: (given: unknown) => void };
type Asked = Call & { answer: (value: unknown) => void; fail: (error: Error) => void };
type Timer = { atMs: number; ring: () => void };
type Waiting = { isMet: () => boolean; go: () => void };

class Run {
  clockMs = 0;
  heard = 0;
  isLong = false;
  busy = 0;
  asked: Asked[] = [];
  names: string[] = [];
  timers = new Set<Timer>();
  waiting = new Set<Waiting>();
  handlers = new Map<string, Handler>();
  answers: Told['answers'] = [];
  outcome: Outcome | undefined;
  carried: unknown;
  memo: Record<string, unknown>;

  constructor(readonly question: Question) {
    this.memo = { ...question.memo };
    this.carried = question.carried;
  }

  /** The part before a reset is a replay. */
  get isReplaying(): boolean {
    return this.heard <= (this.question.resetAt ?? 0);
  }
}

let run: Run;

/** The clock of a run moves only between the things that happen to it. */
class RunDate extends Date {
  constructor(...given: [] | [number | string]) {
    super(given.length === 0 ? run.clockMs : given[0]);
  }

  static override now(): number {
    return run.clockMs;
  }
}
globalThis.Date = RunDate as DateConstructor;

type Workflow = (order: unknown, carried?: unknown) => Promise<unknown>;

/** Begins a run. */
export function begin(workflows: Record<string, Workflow>, text: string, clockMs: number): void {
  const question: Question = JSON.parse(text);
  const own = new Run(question);
  run = own;
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
    return { kind: 'failed', type: String(type), message, details: details?.[0] };
  }
  return { kind: 'crashed', message: String(error) };
}

/** One thing happens to the run. */
export function hear(text: string, clockMs: number): void {
  const happened: Happened = JSON.parse(text);
  run.clockMs = clockMs;
  run.heard += 1;
  if (happened.kind === 'timer') {
    ring();
    return;
  }
  const isAlone = run.asked.length === 0;
  if (happened.kind === 'message') {
    if (isAlone) run.isLong = true;
    deliver(happened.name, happened.given);
    return;
  }
  run.isLong = true;
  const at = run.asked.findIndex(({ number }) => number === happened.call);
  const [asked] = run.asked.splice(at, 1);
  if (at < 0 || asked === undefined) throw new Error(`Nothing waits for call ${happened.call}.`);
  if (happened.failure === undefined) {
    asked.answer(happened.value);
    return;
  }
  const { type, message, facts } = happened.failure;
  asked.fail(type === undefined ? lost(asked) : activityFailure(asked, { type, message, facts }));
}

function activityFailure(
  { name }: Call,
  { type, message, facts }: { type: string; message: string; facts: object },
): Error {
  const why = ApplicationFailure.create({ message, type, nonRetryable: true, details: [facts] });
  return new ActivityFailure(message, name, 'activity', 'NON_RETRYABLE_FAILURE', undefined, why);
}

/** No worker answers in time. */
function lost({ name }: Call): Error {
  const why = new TimeoutFailure('no answer', undefined, 'START_TO_CLOSE');
  return new ActivityFailure('lost', name, 'activity', 'TIMEOUT', undefined, why);
}

function ring(): void {
  const [first] = [...run.timers].sort((one, other) => one.atMs - other.atMs);
  if (first === undefined) throw new Error('No timer runs.');
  run.timers.delete(first);
  first.ring();
}

function deliver(name: string, given: unknown): void {
  const own = run;
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

/** Ends the waits whose condition is met. Returns if there were any. */
export function goOn(): boolean {
  const met = [...run.waiting].filter(({ isMet }) => isMet());
  for (const one of met) {
    run.waiting.delete(one);
    one.go();
  }
  return met.length > 0;
}

/** Where the run stands, in JSON. */
export function told(): string {
  const { asked, timers, memo, busy, answers, outcome, carried, names } = run;
  const calls = asked.map(({ number, name, given, isOld }) => ({ number, name, given, isOld }));
  return JSON.stringify({
    ...{ calls, memo, answers, outcome, carried, names },
    rests: timers.size > 0,
    isAsked: busy > 0,
  } satisfies Told);
}

export function condition(isMet: () => boolean, ms?: number): Promise<boolean> {
  if (isMet()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer: Timer = { atMs: run.clockMs + (ms ?? 0), ring: () => undefined };
    const waiting: Waiting = {
      isMet,
      go: () => {
        run.timers.delete(timer);
        resolve(true);
      },
    };
    timer.ring = () => {
      run.waiting.delete(waiting);
      resolve(false);
    };
    run.waiting.add(waiting);
    if (ms !== undefined) run.timers.add(timer);
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    run.timers.add({ atMs: run.clockMs + ms, ring: resolve });
  });
}

export function proxyActivities(): object {
  return new Proxy({}, { get: (_, name) => (given?: unknown) => call(String(name), given) });
}

export const proxyLocalActivities = proxyActivities;

function call(name: string, given: unknown): Promise<unknown> {
  return new Promise((answer, fail) => {
    const number = run.names.push(name) - 1;
    const isOld = run.question.resetAt !== undefined && run.isReplaying;
    run.asked.push({ number, name, given, isOld, answer, fail });
  });
}

export function getExternalWorkflowHandle(workflowId: string) {
  return {
    signal: (signal: { name: string }, given: unknown) =>
      call('signal', { workflowId, name: signal.name, given }),
  };
}

export const defineSignal = (name: string) => ({ name });
export const defineUpdate = defineSignal;
export const defineQuery = defineSignal;

export function setHandler(
  { name }: { name: string },
  handler: Handler['handler'],
  { validator }: Pick<Handler, 'validator'> = {},
): void {
  run.handlers.set(name, { handler, ...(validator && { validator }) });
}

export function allHandlersFinished(): boolean {
  return run.busy === 0;
}

export function workflowInfo() {
  const { question, memo, isReplaying, isLong } = run;
  return {
    workflowId: question.workflowId,
    workflowType: question.workflow,
    taskQueue: 'model',
    runId: question.resetAt === undefined ? 'run' : 'run after the reset',
    originalExecutionRunId: 'run',
    ...(question.carried === undefined ? {} : { continuedFromExecutionRunId: 'before' }),
    attempt: 1,
    memo,
    unsafe: { isReplaying },
    continueAsNewSuggested: isLong,
    historySize: 0,
  };
}

/** The run hands its state on, and ends here. */
export function makeContinueAsNewFunc() {
  return async (order: unknown, carried: unknown): Promise<never> => {
    const text = JSON.stringify({ order, carried });
    run.outcome = { kind: 'continued', ...JSON.parse(text) };
    throw new ContinueAsNew('The run continues as new.');
  };
}

export class ContinueAsNew extends Error {}

/** A patch marks the end of the part that is replayed. */
export function patched(): boolean {
  return run.question.resetAt !== undefined && !run.isReplaying;
}

export function upsertMemo(memo: object): void {
  Object.assign(run.memo, JSON.parse(JSON.stringify(memo)));
}

export function isCancellation(error: unknown): boolean {
  if (error instanceof CancelledFailure) return true;
  return error instanceof ActivityFailure && isCancellation(error.cause);
}

/** Temporal's own cancellation is not modelled. */
export class CancellationScope {
  readonly cancelRequested = new Promise<never>(() => undefined);

  run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}

const silent = (): void => undefined;
export const setCurrentDetails = silent;
export const upsertSearchAttributes = silent;
export const metricMeter = {
  createCounter: () => ({ add: silent }),
  createHistogram: () => ({ record: silent }),
};
