import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Tries } from '../activities/attempt';
import type { OpenedOrder } from '../activities/openOrder';
import type { Order, OrderKind, Receipt } from '../src/orders/kinds';
import { memoryKey } from '../src/orders/status';
import { askToCancel, stopWhenAsked } from './cancel';
import { guard, reads, stopOf } from './custody';
import { answer } from './handlers';
import type { Carried, Run } from './run';
import { attribute, finished, show } from './show';
import { continueWhenLong, standStill } from './wait';

type Start<Kind extends OrderKind> = {
  kind: Kind;
  order: Order<Kind>;
  carried?: Carried | undefined;
};

/**
 * Carries out an order: opens it, runs its process, and says how it ended. An order that an
 * earlier run of the same id has completed returns that run's receipt, and nothing moves.
 */
export async function runOrder<Kind extends OrderKind>(
  start: Start<Kind>,
  process: (run: Run<Kind>) => Promise<Receipt<Kind>>,
): Promise<Receipt<Kind>> {
  // Temporal's own cancellation stops here: what may be under way is not stopped by it.
  const shield = new CancellationScope({ cancellable: false });
  const run = newRun(start, new CancellationScope({ cancellable: true, parent: shield }));
  shield.cancelRequested.catch(() => {
    run.cancelledByTemporal = true;
    askToCancel(run);
  });
  answer(run);
  return shield.run(async () => {
    try {
      return await run.scope.run(() => carryOut(run, start, process));
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
  if (run.opened.completed === undefined) {
    // Asked for while it was not known yet whether an earlier run may have sent.
    stopWhenAsked(run);
    const receipt = await process(run);
    show(run, 'Done', 'nothing: this order is done');
    return receipt;
  }
  finished(run, 'an earlier run of this id completed; nothing was moved again');
  show(run, 'Done', 'nothing: this order was done before');
  return run.opened.completed as Receipt<Kind>;
}

function newRun<Kind extends OrderKind>(start: Start<Kind>, scope: CancellationScope): Run<Kind> {
  const carried = start.carried ?? {
    ...{ done: {}, writes: {}, made: {}, progress: [], looks: {} },
    ...{ cancelAsked: false, doubtful: false },
  };
  const { runId, originalExecutionRunId, attempt } = workflowInfo();
  const isRepeated = start.carried !== undefined && attempt > 1;
  carried.doubtful ||= runId !== originalExecutionRunId || isRepeated;
  const since = new Date().toISOString();
  return {
    // Replaced by the guard's answer before anything else reads it.
    opened: carried.opened as OpenedOrder<Kind>,
    order: start.order,
    carried,
    progress: { status: 'Preparing', done: carried.progress, waitingFor: 'the order check', since },
    sending: false,
    woken: false,
    cancelledByTemporal: false,
    searchAttributes: carried.opened?.searchAttributes ?? false,
    scope,
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
      const opened = await guard('check the order').openOrder(opening);
      run.carried.opened = opened;
      run.searchAttributes = opened.searchAttributes;
      upsertMemo({ [memoryKey]: opened.memory });
      attribute(run, attributesOf(opened));
      return opened as OpenedOrder<Kind>;
    } catch (error) {
      const stop = stopOf(error);
      if (stop?.type !== 'NeedsOperator') throw error;
      await standStill(run, stop, look);
      await continueWhenLong(run);
    }
  }
}

function attributesOf({ memory, wallet, token, order }: OpenedOrder<OrderKind>) {
  return {
    SteadfastStatus: 'Preparing',
    SteadfastKind: String(memory.money.kind),
    ...(wallet === undefined ? {} : { SteadfastWallet: wallet.address }),
    ...(token === undefined ? {} : { SteadfastToken: token.name }),
    ...(order.reference === undefined ? {} : { SteadfastRef: order.reference }),
  };
}

/** What a failed order knows of its writes: any later run of its id builds on this. */
function accountOf(run: Run): Record<string, Tries> {
  const earlier = run.carried.opened?.earlier.writes ?? {};
  const now = Object.entries(run.carried.writes).map(([path, { identity, stage }]) => [
    path,
    stage === 'open' ? identity.earlierTries : 'ambiguous',
  ]);
  return { ...earlier, ...Object.fromEntries(now) };
}

/** How an order that did not complete has ended, as the failure of its workflow. */
async function ended(run: Run, error: unknown): Promise<unknown> {
  const { made } = run.carried;
  if (isCancellation(error)) {
    show(run, 'Cancelled', 'nothing: cancelled with nothing under way');
    // A workflow can close as cancelled only when Temporal has been asked to cancel it.
    if (!run.cancelledByTemporal) await reads('close as cancelled').cancelRun();
    return new CancelledFailure('The order was cancelled.', [{ made }]);
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
  // Where an earlier run gave no account, this one can give none either.
  const { opened, doubtful } = run.carried;
  const isAccount = !doubtful && opened?.earlier.others !== 'ambiguous';
  const facts = { made, ...(isAccount ? { writes: accountOf(run) } : {}) };
  const details = [{ ...recordOf(failed), ...facts }];
  return ApplicationFailure.create({ message, type, nonRetryable: true, details });
}

/** The final record that a failure carries. */
function recordOf(failed: ApplicationFailure | undefined): { record?: unknown } {
  const details: unknown = failed?.details?.[0];
  if (typeof details !== 'object' || details === null || !('record' in details)) return {};
  return { record: details.record };
}
