import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { OpenedOrder } from '../activities/openOrder';
import type { Order, OrderKind, Receipt } from '../src/orders/kinds';
import { type AttributeName, memoryKey, type Progress, type Status } from '../src/orders/status';
import { guard, reads, type Stop, stopOf } from './custody';
import { operatorDelayMs } from './delays';
import { detailsOf } from './details';

/** What a run hands on to the next one when it continues as new. Plain JSON. */
export type Carried = {
  opened?: OpenedOrder<OrderKind>;
  /** Results of finished steps by their path: no step is done again. */
  done: Record<string, unknown>;
  made: Record<string, unknown>;
  progress: string[];
  /** How often each transaction was looked at, so that the delays go on where they were. */
  looks: Record<string, number>;
};

/** One order on its way: what it knows, what it has made, and how it is seen from outside. */
export type Run<Kind extends OrderKind = OrderKind> = {
  opened: OpenedOrder<Kind>;
  /** The order as it was given, to continue as new with. */
  order: unknown;
  carried: Carried;
  progress: Progress;
  /** True while a write may be under way: from then on nothing is cancelled. */
  inFlight: boolean;
  woken: boolean;
  /** Set by the update; a cancellation by Temporal itself needs no telling. */
  cancelAsked: boolean;
  /** False until it is known that the namespace has our search attributes. */
  searchAttributes: boolean;
};

export const wakeSignal = defineSignal<[{ transactionId?: string }?]>('wake');
export const cancelUpdate = defineUpdate<void, [{ reason: string }]>('cancel');
export const progressQuery = defineQuery<Progress>('progress');

/**
 * Carries out an order: opens it, runs its process, and says how it ended. An order that an
 * earlier run of the same id has completed returns that run's receipt, and nothing moves.
 */
export async function runOrder<Kind extends OrderKind>(
  start: { kind: Kind; order: Order<Kind>; carried?: Carried | undefined },
  process: (run: Run<Kind>) => Promise<Receipt<Kind>>,
): Promise<Receipt<Kind>> {
  const run = newRun(start);
  const scope = new CancellationScope();
  answer(run, scope);
  try {
    return await scope.run(async () => {
      run.opened = await open(run, start);
      if (run.opened.completed !== undefined) return completed(run);
      const receipt = await process(run);
      show(run, 'Done', 'nothing: this order is done');
      return receipt;
    });
  } catch (error) {
    if (isCancellation(error)) await closeAsCancelled(run);
    throw ended(run, error);
  }
}

/** Lets Temporal know too, where the cancellation came by our own update. */
async function closeAsCancelled(run: Run): Promise<void> {
  show(run, 'Cancelled', 'nothing: cancelled with nothing under way');
  if (!run.cancelAsked) return;
  await CancellationScope.nonCancellable(() => reads('close as cancelled').cancelRun());
}

function newRun<Kind extends OrderKind>(start: {
  kind: Kind;
  order: Order<Kind>;
  carried?: Carried | undefined;
}): Run<Kind> {
  const carried = start.carried ?? { done: {}, made: {}, progress: [], looks: {} };
  const since = new Date().toISOString();
  return {
    // Replaced by the guard's answer before anything else reads it.
    opened: carried.opened as OpenedOrder<Kind>,
    order: start.order,
    carried,
    progress: { status: 'Preparing', done: carried.progress, waitingFor: 'the order check', since },
    inFlight: false,
    woken: false,
    cancelAsked: false,
    searchAttributes: carried.opened?.searchAttributes ?? false,
  };
}

function answer(run: Run, scope: CancellationScope): void {
  setHandler(progressQuery, () => run.progress, {
    description: 'Where the order stands: what is done, what it waits for, since when.',
  });
  setHandler(
    wakeSignal,
    () => {
      run.woken = true;
    },
    { description: 'Look again now instead of at the next tick. Its content is not believed.' },
  );
  const cancel = (): void => {
    run.cancelAsked = true;
    scope.cancel();
  };
  setHandler(cancelUpdate, cancel, {
    description: 'Stop the order: {"reason": "…"}. Refused once a write may be under way.',
    validator: (request) => {
      if (typeof request?.reason !== 'string' || request.reason === '') {
        throw new Error('reason: is missing. Say why, for whoever reads this later.');
      }
      if (run.inFlight) {
        throw new Error(`Too late to cancel: ${run.progress.waitingFor}. It will run to its end.`);
      }
    },
  });
}

async function open<Kind extends OrderKind>(
  run: Run<Kind>,
  start: { kind: Kind; order: unknown },
): Promise<OpenedOrder<Kind>> {
  if (run.carried.opened !== undefined) return run.opened;
  for (let look = 1; ; look++) {
    try {
      const opening = { kind: start.kind, order: start.order };
      const opened = await guard('check the order').openOrder(opening);
      run.carried.opened = opened;
      remember(run, opened);
      return opened as OpenedOrder<Kind>;
    } catch (error) {
      const stop = stopOf(error);
      if (stop?.type !== 'NeedsOperator') throw error;
      await standStill(run, stop, look);
    }
  }
}

function remember(run: Run, opened: OpenedOrder<OrderKind>): void {
  run.searchAttributes = opened.searchAttributes;
  upsertMemo({ [memoryKey]: opened.memory });
  attribute(run, {
    SteadfastStatus: 'Preparing',
    SteadfastKind: String(opened.memory.money.kind),
    ...(opened.wallet === undefined ? {} : { SteadfastWallet: opened.wallet.address }),
    ...(opened.token === undefined ? {} : { SteadfastToken: opened.token.name }),
    ...(opened.order.reference === undefined ? {} : { SteadfastRef: opened.order.reference }),
  });
}

function attribute(run: Run, values: Partial<Record<AttributeName, string>>): void {
  if (!run.searchAttributes) return;
  upsertSearchAttributes(
    Object.entries(values).map(([name, value]) => ({
      key: { name, type: 'KEYWORD' as const },
      value,
    })),
  );
}

function completed<Kind extends OrderKind>(run: Run<Kind>): Receipt<Kind> {
  finished(run, 'an earlier run of this id completed; nothing was moved again');
  show(run, 'Done', 'nothing: this order was done before');
  return run.opened.completed as Receipt<Kind>;
}

/** Notes something as done, for the details panel and the progress query. */
export function finished(run: Run, words: string): void {
  run.progress.done.push(words);
}

/** Says what the order waits for, in every place where an operator may look. */
export function show(run: Run, status: Status, waitingFor: string): void {
  const changed = run.progress.status !== status;
  const moved = changed || run.progress.waitingFor !== waitingFor;
  Object.assign(run.progress, { status, waitingFor });
  if (moved) run.progress.since = new Date().toISOString();
  setCurrentDetails(detailsOf(run.progress));
  if (changed) attribute(run, { SteadfastStatus: status });
}

/** Waits on a durable timer, or until a signal wakes the order. */
export async function pause(run: Run, delayMs: number, summary: string): Promise<void> {
  await condition(() => run.woken, delayMs, { summary });
  run.woken = false;
}

/** Shows what keeps the order from going on, and waits until it is worth another look. */
export async function standStill(run: Run, stop: Stop, look: number): Promise<void> {
  const status = stop.type === 'Unknown' ? 'Unknown' : 'NeedsOperator';
  show(run, status, stop.message);
  if (status === 'NeedsOperator') return pause(run, operatorDelayMs(look), 'until it is mended');
  await condition(() => run.woken);
  run.woken = false;
}

/** How an order that did not complete has ended, as the failure of its workflow. */
function ended(run: Run, error: unknown): unknown {
  if (isCancellation(error)) {
    return error instanceof CancelledFailure ? error : new CancelledFailure('Cancelled');
  }
  const stop = stopOf(error);
  if (stop?.type === 'Refused') {
    if (stop.facts.searchAttributes === true) run.searchAttributes = true;
    show(run, 'Refused', `nothing: refused. ${stop.message}`);
    const details = [{ ...stop.facts, made: run.carried.made }];
    return ApplicationFailure.create({
      message: stop.message,
      type: 'Refused',
      nonRetryable: true,
      details,
    });
  }
  if (error instanceof ApplicationFailure && error.type === 'Failed') {
    show(run, 'Failed', `nothing: failed. ${error.message}`);
  }
  return error;
}
