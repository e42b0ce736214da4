import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { OpenedOrder } from '../activities/openOrder';
import type { Order, OrderKind, Receipt } from '../src/orders/kinds';
import { memoryKey, momentOf } from '../src/orders/status';
import { askToCancel, stopWhenAsked } from './cancel';
import { longReads, reads, stopOf } from './custody';
import { answer } from './handlers';
import { countEnd } from './meter';
import { accountOf, type Carried, isDoubtful, type Run } from './run';
import { attribute, finished, show } from './show';
import { continueWhenLong, standStill } from './wait';

type Start<Kind extends OrderKind> = {
  kind: Kind;
  order: Order<Kind>;
  carried?: Carried | undefined;
  /** What this kind answers from outside besides, or otherwise. */
  answers?: (run: Run<Kind>) => void;
};

/**
 * Carries out an order: opens it, runs its process, and says how it ended. An order that an
 * earlier run of the same id has completed returns that run's receipt, and nothing moves.
 */
export async function runOrder<Kind extends OrderKind>(
  start: Start<Kind>,
  process: (run: Run<Kind>) => Promise<Receipt<Kind>>,
): Promise<Receipt<Kind>> {
  // Temporal's own cancellation is heard, and stops nothing by itself: something may be under way.
  const shield = new CancellationScope({ cancellable: false });
  const run = newRun(start);
  shield.cancelRequested.catch(() => {
    run.cancelledByTemporal = true;
    askToCancel(run, 'Temporal itself was asked to');
  });
  answer(run);
  start.answers?.(run);
  return shield.run(async () => {
    try {
      return await carryOut(run, start, process);
    } catch (error) {
      throw await ended(run, error);
    }
  });
}

async function carryOut<Kind extends OrderKind>(
  run: Run<Kind>,
  start: Start<Kind>,
  process: (run: Run<Kind>) => Promise<Receipt<Kind>>,
): Promise<Receipt<Kind>> {
  run.opened = await open(run, start);
  const { plan, completed } = run.opened;
  if (plan !== undefined) {
    countEnd('dryRun');
    return without(run, plan, 'this was a dry run');
  }
  if (completed !== undefined) {
    finished(run, 'an earlier run of this id completed; nothing was moved again');
    countEnd('known');
    return without(run, completed, 'this order was done before');
  }
  // Asked for while it was not known yet whether an earlier run may have sent.
  stopWhenAsked(run);
  const receipt = await process(run);
  show(run, 'Done', 'nothing: this order is done');
  countEnd('completed');
  return receipt;
}

/** Ends an order without its process: what its guard has brought stands for its receipt. */
function without<Kind extends OrderKind>(
  run: Run<Kind>,
  known: unknown,
  why: string,
): Receipt<Kind> {
  show(run, 'Done', `nothing: ${why}`);
  return known as Receipt<Kind>;
}

function newRun<Kind extends OrderKind>(start: Start<Kind>): Run<Kind> {
  const { attempt, continuedFromExecutionRunId } = workflowInfo();
  // Only a run before this one hands something on; a starter who says so would pass by the guard.
  const isContinued = continuedFromExecutionRunId !== undefined;
  const handedOn = isContinued ? start.carried : undefined;
  const carried = handedOn ?? {
    ...{ done: {}, writes: {}, made: {}, progress: [], looks: {} },
    ...{ cancelAsked: false, doubtful: false },
  };
  carried.doubtful ||= handedOn !== undefined && attempt > 1;
  const since = new Date().toISOString();
  const { paused } = carried;
  const timeline = carried.progress.map(momentOf);
  return {
    // Replaced by the guard's answer before anything else reads it.
    opened: carried.opened as OpenedOrder<Kind>,
    order: start.order,
    carried,
    progress: {
      ...{ status: 'Preparing', timeline, waitingFor: 'the order check', since },
      ...(paused === undefined ? {} : { paused }),
    },
    woken: false,
    cancelledByTemporal: false,
    searchAttributes: carried.opened?.searchAttributes ?? false,
  };
}

async function open<Kind extends OrderKind>(
  run: Run<Kind>,
  start: Start<Kind>,
): Promise<OpenedOrder<Kind>> {
  if (run.carried.opened !== undefined) return run.opened;
  for (let look = 1; ; look++) {
    try {
      const opening = { kind: start.kind, order: start.order };
      const opened = await longReads('check the order').openOrder(opening);
      run.carried.opened = opened;
      run.searchAttributes = opened.searchAttributes;
      upsertMemo({ [memoryKey]: opened.memory });
      attribute(run, { ...attributesOf(opened), SteadfastStatus: run.progress.status });
      return opened as OpenedOrder<Kind>;
    } catch (error) {
      const stop = stopOf(error);
      if (stop?.type !== 'NeedsOperator' && stop?.type !== 'Again') throw error;
      if (stop.facts.searchAttributes === true) run.searchAttributes = true;
      await standStill(run, stop, look);
      await continueWhenLong(run);
    }
  }
}

function attributesOf({ memory, wallet, token, order, isPrivate }: OpenedOrder<OrderKind>) {
  const kind = { SteadfastKind: String(memory.money.kind) };
  // Temporal never encrypts them.
  if (isPrivate === true) return kind;
  return {
    ...kind,
    ...(wallet === undefined ? {} : { SteadfastWallet: wallet.address }),
    ...(token === undefined ? {} : { SteadfastToken: token.name }),
    ...(order.reference === undefined ? {} : { SteadfastRef: order.reference }),
  };
}

/** How an order that did not complete has ended, as the failure of its workflow. */
async function ended(run: Run, error: unknown): Promise<unknown> {
  if (isCancellation(error)) {
    show(run, 'Cancelled', 'nothing: cancelled with nothing under way');
    countEnd('cancelled');
    // The end of a cancelled run has no place for details, so they go where a later run looks.
    const proof = error instanceof CancelledFailure ? error.details[0] : undefined;
    const { opened } = run.carried;
    if (opened !== undefined) {
      const end = { ...facts(run), ...asObject(proof) };
      upsertMemo({ [memoryKey]: { ...opened.memory, end } });
    }
    // A workflow can close as cancelled only when Temporal has been asked to cancel it.
    if (!run.cancelledByTemporal) await reads('close as cancelled').cancelRun();
    return new CancelledFailure('The order was cancelled.');
  }
  const stop = stopOf(error);
  const failed = error instanceof ApplicationFailure && error.type === 'Failed' ? error : undefined;
  if (stop?.type !== 'Refused' && failed === undefined) return error;
  // Refused means that nothing was taken, and that is more than that the last write was not.
  const taken = Object.values(run.carried.writes).some(({ stage }) => stage !== 'open');
  const type = failed !== undefined || taken ? 'Failed' : 'Refused';
  const message = failed?.message ?? stop?.message ?? '';
  if (stop?.facts.searchAttributes === true) run.searchAttributes = true;
  show(run, type, `nothing: ${type.toLowerCase()}. ${message}`);
  countEnd(type.toLowerCase());
  const details = [{ ...facts(run), ...asObject(failed?.details?.[0]) }];
  return ApplicationFailure.create({ message, type, nonRetryable: true, details });
}

/** What the end of an order carries for any later run of its id, and for whoever reads it. */
function facts(run: Run) {
  const { opened, made } = run.carried;
  // Where an earlier run gave no account, this one can give none either.
  const isAccount = !isDoubtful(run) && opened?.earlier.others !== 'ambiguous';
  return { made, ...(isAccount ? { writes: accountOf(run) } : {}) };
}

/** The proof that a failure carries: the final record, and which write it is of. */
function asObject(details: unknown): object {
  return typeof details === 'object' && details !== null ? details : {};
}
