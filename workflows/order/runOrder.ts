import { CancellationScope, upsertMemo } from '@temporalio/workflow';
import type { OpenedOrder } from '../../activities/guard/openOrder';
import type { Order, OrderKind, Receipt } from '../../src/orders/kinds';
import type { Plan } from '../../src/orders/progress/plan';
import { memoryKey } from '../../src/orders/progress/status';
import { announceEnd } from '../end/announceEnd';
import { ended } from '../end/ended';
import { newCalling } from '../write/calling';
import { noteReset } from '../write/reset';
import { createWrites } from '../write/writes';
import { asksWriter, longReads, stopOf } from './activities';
import { archiveOrder } from './archiveOrder';
import { askToCancel, stopWhenAsked, unopened } from './cancel';
import { answerDecisions } from './decide';
import { answerOrder } from './handlers';
import type { Carried, LiveOrder } from './liveOrder';
import { countEnd } from './meter';
import { attribute, noteDone, show } from './show';
import { continueWhenLong, handedOn, refuseRepeated, standStill } from './wait';

/** The process of a kind of order, once the order is open. It ends with the receipt. */
type Process<Kind extends OrderKind> = (live: LiveOrder<Kind>) => Promise<Receipt<Kind>>;

/** A workflow as it is started, and as it continues: with the state of the run before. */
type OrderWorkflow<Kind extends OrderKind> = (
  order: Order<Kind>,
  carried?: Carried,
) => Promise<Receipt<Kind>>;

/**
 * The workflow that carries out a kind of order: it opens the order, runs its process, and reports
 * its end. If an earlier run of the same id has completed, it returns that run's receipt and sends
 * nothing. `answers` sets handlers that only this kind has.
 */
export function workflowOf<Kind extends OrderKind>(
  kind: Kind,
  process: Process<Kind>,
  answers: (live: LiveOrder<Kind>) => void = () => {},
): OrderWorkflow<Kind> {
  return async (order, carried) => {
    // Temporal's own cancellation is noted and stops nothing at once: a write may be pending.
    const shield = new CancellationScope({ cancellable: false });
    const live = newOrder<Kind>(order, carried);
    shield.cancelRequested.catch(() => {
      live.cancelledByTemporal = true;
      askToCancel(live, 'Temporal itself was asked to');
    });
    answerOrder(live);
    answerDecisions(live);
    answers(live);
    return shield.run(async () => {
      try {
        refuseRepeated();
        live.opened = await open(live, kind);
        return await carryOut(live, process);
      } catch (error) {
        throw await ended(live, error);
      }
    });
  };
}

async function carryOut<Kind extends OrderKind>(
  live: LiveOrder<Kind>,
  process: Process<Kind>,
): Promise<Receipt<Kind>> {
  const { plan, completed } = live.opened;
  if (plan !== undefined)
    return endWithout(live, await explained(live, plan), 'this was a dry run');
  if (completed !== undefined) {
    noteDone(live, 'an earlier run of this id completed: nothing was moved again');
    return endWithout(live, completed, 'this order was done before');
  }
  // The request may have come before it was known if an earlier run has sent anything.
  stopWhenAsked(live);
  const receipt = await process(live);
  if (live.carried.settled) await archiveOrder(live);
  const isCut = isCutShort(receipt);
  await announceEnd(live, isCut ? 'order.cancelled' : 'order.completed', { receipt });
  if (isCut) show(live, 'Cancelled', 'nothing: cancelled before all lines were sent');
  else show(live, 'Done', 'nothing: this order is done');
  countEnd('completed');
  return receipt;
}

/** A plan with the word of the writer's policy about each write, if a writer is there. */
async function explained<Kind extends OrderKind>(
  { opened }: LiveOrder<Kind>,
  plan: Plan,
): Promise<Plan> {
  const { order, wallet, wallets, treasury, token, decimals } = opened;
  const resolved = { wallet, wallets, treasury, token, decimals };
  const asked = { kind: plan.kind, order, resolved };
  try {
    const told = await asksWriter('what the policy says').explainOrder(asked);
    const words = new Map(told.map((one) => [one.path, one.words]));
    const writes = plan.writes.map((write) => {
      const policy = words.get(write.target.replace(/#\d+$/, ''));
      return policy === undefined ? write : { ...write, policy };
    });
    return { ...plan, writes };
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    return { ...plan, notes: [...plan.notes, `No writer told its policy: ${stop.message}`] };
  }
}

/** Returns whether a payout was cancelled half-way. It completes, since it has a receipt. */
function isCutShort(receipt: object): boolean {
  const { stopped, skipped }: { stopped?: unknown; skipped?: unknown } = receipt;
  return stopped !== undefined && skipped !== 0;
}

/** Ends an order without its process. The guard's answer is its receipt. */
function endWithout<Kind extends OrderKind>(
  live: LiveOrder<Kind>,
  known: unknown,
  why: string,
): Receipt<Kind> {
  countEnd(live.opened.plan === undefined ? 'known' : 'dryRun');
  show(live, 'Done', `nothing: ${why}`);
  return known as Receipt<Kind>;
}

function newOrder<Kind extends OrderKind>(
  order: Order<Kind>,
  given: Carried | undefined,
): LiveOrder<Kind> {
  const carried = handedOn(given) ?? {
    done: {},
    writes: {},
    made: {},
    progress: [],
    over: [],
    cancelAsked: false,
  };
  const since = new Date().toISOString();
  const { paused, cancelAsked } = carried;
  const live = {
    // The guard's answer replaces it before anything else reads it.
    opened: carried.opened as OpenedOrder<Kind>,
    order,
    carried,
    progress: {
      status: 'Preparing',
      timeline: carried.progress,
      waitingFor: 'the order check',
      since,
      ...(cancelAsked ? { cancelAsked } : {}),
      ...(paused === undefined ? {} : { paused }),
    },
    ...newCalling(carried),
    noticed: false,
    isWeighing: false,
    cancelledByTemporal: false,
    searchAttributes: carried.opened?.searchAttributes ?? false,
    answers: carried.opened?.answers ?? false,
  } satisfies Omit<LiveOrder<Kind>, 'writes'>;
  return Object.assign(live, { writes: createWrites(live) });
}

async function open<Kind extends OrderKind>(
  live: LiveOrder<Kind>,
  kind: Kind,
): Promise<OpenedOrder<Kind>> {
  if (live.carried.opened !== undefined) return live.opened;
  for (let attempt = 1; ; attempt++) {
    try {
      const openedAtMs = Date.now();
      const opened = await longReads('check the order').openOrder({ kind, order: live.order });
      noteReset(live);
      Object.assign(live.carried, { opened, openedAtMs });
      live.searchAttributes = opened.searchAttributes;
      live.answers = opened.answers ?? false;
      upsertMemo({ [memoryKey]: opened.memory });
      attribute(live, { ...attributesOf(opened), SteadfastStatus: live.progress.status });
      return opened as OpenedOrder<Kind>;
    } catch (error) {
      const stop = stopOf(error);
      if (stop?.type !== 'NeedsOperator' && stop?.type !== 'Again') throw error;
      if (stop.facts.searchAttributes === true) live.searchAttributes = true;
      if (stop.facts.answers === true) live.answers = true;
      await standStill(live, stop, attempt);
      if (live.carried.cancelAsked) throw unopened(stop);
      await continueWhenLong(live);
    }
  }
}

function attributesOf({ memory, wallet, token, order, isPrivate }: OpenedOrder<OrderKind>) {
  const kind = { SteadfastKind: String(memory.money.kind) };
  // Temporal never encrypts search attributes.
  if (isPrivate === true) return kind;
  return {
    ...kind,
    ...(wallet === undefined ? {} : { SteadfastWallet: wallet.address }),
    ...(token === undefined ? {} : { SteadfastToken: token.name }),
    ...(order.reference === undefined ? {} : { SteadfastRef: order.reference }),
  };
}
