import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TemporalFailure,
} from '@temporalio/common/lib/failure';
import { type Handler, now, type Timer, type Waiting } from './run';

/**
 * Temporal, as far as the product's workflows use it. The bundle of a workflow has this module in
 * the place of `@temporalio/workflow`.
 */
export { ActivityFailure, ApplicationFailure, CancelledFailure, TemporalFailure };

export function condition(isMet: () => boolean, ms?: number): Promise<boolean> {
  if (isMet()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer: Timer = { atMs: now.run.clockMs + (ms ?? 0), ring: () => undefined };
    const waiting: Waiting = {
      isMet,
      go: () => {
        now.run.timers.delete(timer);
        resolve(true);
      },
    };
    timer.ring = () => {
      now.run.waiting.delete(waiting);
      resolve(false);
    };
    now.run.waiting.add(waiting);
    if (ms !== undefined) now.run.timers.add(timer);
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    now.run.timers.add({ atMs: now.run.clockMs + ms, ring: resolve });
  });
}

export function proxyActivities(): object {
  return new Proxy({}, { get: (_, name) => (given?: unknown) => call(String(name), given) });
}

export const proxyLocalActivities = proxyActivities;

function call(name: string, given: unknown): Promise<unknown> {
  return new Promise((answer, fail) => {
    const number = now.run.names.push(name) - 1;
    const isOld = now.run.question.resetAt !== undefined && now.run.isReplaying;
    const askedAtMs = now.run.clockMs;
    now.run.asked.push({ number, name, given, isOld, askedAtMs, answer, fail });
  });
}

/** A signal to another workflow arrives once the run waits for nothing else. */
export function getExternalWorkflowHandle() {
  return { signal: () => new Promise<void>((arrive) => now.run.signals.push(arrive)) };
}

export const ParentClosePolicy = { ABANDON: 'ABANDON' } as const;

/** The orders of the model have no receiver to tell of their ends. */
export function startChild(name: string): never {
  throw new Error(`The model has no child workflow ${name}.`);
}

export const defineSignal = (name: string) => ({ name });
export const defineUpdate = defineSignal;
export const defineQuery = defineSignal;

export function setHandler(
  { name }: { name: string },
  handler: Handler['handler'],
  { validator }: Pick<Handler, 'validator'> = {},
): void {
  now.run.handlers.set(name, { handler, ...(validator && { validator }) });
}

export function allHandlersFinished(): boolean {
  return now.run.busy === 0;
}

export function workflowInfo() {
  const { question, memo, isReplaying, isLong } = now.run;
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
    now.run.outcome = { kind: 'continued', ...JSON.parse(text) };
    throw new ContinueAsNew('The run continues as new.');
  };
}

export class ContinueAsNew extends Error {}

/** A patch marks the end of the part that is replayed. */
export function patched(): boolean {
  return now.run.question.resetAt !== undefined && !now.run.isReplaying;
}

export function upsertMemo(memo: object): void {
  Object.assign(now.run.memo, JSON.parse(JSON.stringify(memo)));
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
