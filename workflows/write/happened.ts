import { workflowInfo } from '@temporalio/workflow';
import type { PayoutRun } from '../../activities/payout/mayPay';
import type { Authority } from '../../src/orders/input/signed';
import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import type { Carried, LiveOrder } from '../order/liveOrder';
import { noteReset, wasReset } from '../order/reset';
import { firstState, type Left } from './firstState';
import { next } from './machine';
import { identityOf } from './step';
import type { Happening, Terms, WriteState } from './writeState';

/** The driver of writes: a single order, or a part of a payout. */
export type Writer = {
  opened: Terms & {
    order: Pick<ReadOrder<OrderKind>, 'generations' | 'validUntil' | 'request'>;
    memory: { baseUrl: string };
    earlier: Left;
  };
  carried: Pick<Carried, 'writes' | 'done' | 'doubtedAtMs' | 'cancelAsked' | 'decisions'>;
  /** The terms of a write, where they are not the same for all of them. */
  terms?: (step: Named) => Terms;
  /** The payout whose lines the writes are. Keys and references are made of its id. */
  payout?: PayoutRun;
  /** The signatures of a write, where they are not simply those of its order. */
  signed?: (step: Named) => Authority | undefined;
  /** Hears how a write has changed. */
  changed?: (step: Named, before: WriteState, after: WriteState) => void;
};

type Named = { step: string; item: string };

/** The words that a cancelled write shows if it was never sent. */
const cancelWords = 'It was cancelled before it was sent.';

/** Applies an event to a write's state, whatever its run may have forgotten. */
export function apply(live: Writer, step: Named, happening: Happening): WriteState {
  const event = { ...happening, nowMs: Date.now() };
  return keep(live, step, next(stateOf(live, step), event, termsOf(live, step)));
}

/** Keeps a state that the machine has made. Nothing else changes the state of a write. */
export function keep(live: Writer, step: Named, state: WriteState): WriteState {
  live.carried.writes[pathOf(step)] = state;
  return state;
}

function termsOf(live: Writer, step: Named): Terms {
  return live.terms?.(step) ?? live.opened;
}

/** Applies an event to each known write that is meant. */
export function applyToAll(
  live: Writer,
  happening: Happening,
  isMeant: (state: WriteState) => boolean,
): void {
  for (const [path, state] of Object.entries(live.carried.writes)) {
    if (isMeant(state)) apply(live, stepIn(path), happening);
  }
}

/**
 * Applies an event of the service, the chain or a person. A run that was reset, or that is
 * cancelled, hears of that first.
 */
export function happened(live: Writer, step: Named, happening: Happening): WriteState {
  noteReset(live);
  const terms = termsOf(live, step);
  const nowMs = Date.now();
  const known = stateOf(live, step);
  let before = known;
  if (wasReset(live)) {
    const forgotten = next(before, { kind: 'forgot', nowMs }, terms);
    // An answer that was read before a reset does not show what was sent after it.
    if (forgotten !== before && happening.kind === 'looked') return keep(live, step, forgotten);
    before = forgotten;
  }
  if (live.carried.cancelAsked) {
    before = next(before, { kind: 'cancel', why: cancelWords, nowMs }, terms);
  }
  const after = keep(live, step, next(before, { ...happening, nowMs }, terms));
  live.changed?.(step, known, after);
  return after;
}

/** Says that nothing of a write is pending any more. */
export function settled(live: LiveOrder, step: Named): void {
  const path = pathOf(step);
  if (!live.carried.over.includes(path)) live.carried.over.push(path);
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(
  live: { carried: Pick<Carried, 'done'> },
  path: string,
  make: () => Promise<T>,
): Promise<T> {
  if (path in live.carried.done) return live.carried.done[path] as T;
  const made = await make();
  live.carried.done[path] = made;
  return made;
}

/** The state of a write. Before its first event, it is what earlier runs of the order left. */
export function stateOf(live: Writer, step: Named): WriteState {
  const path = pathOf(step);
  const known = live.carried.writes[path];
  if (known !== undefined) return known;
  const { order, earlier } = live.opened;
  const generation = order.generations[path] ?? 0;
  const now = { isForgotten: wasReset(live), nowMs: Date.now() };
  return firstState({ path, generation }, earlier, now);
}

/** The identity of a write in its present generation. */
export function identity(live: Writer, step: Named) {
  const { opened, payout } = live;
  const { workflowId } = payout ?? workflowInfo();
  const { validUntil } = opened.order;
  const authority = (live.signed ?? signedBy(live))(step);
  const place = { workflowId, baseUrl: opened.memory.baseUrl, validUntil, authority };
  return { ...identityOf(step, stateOf(live, step), place), ...(payout && { payout }) };
}

/** The signatures of an order: its request, and the decisions on this write. */
function signedBy(live: Writer): (step: Named) => Authority | undefined {
  const { opened, carried } = live;
  const { request } = opened.order;
  const { decisions } = carried;
  const isSigned = request !== undefined || decisions !== undefined;
  return (step) => {
    const own = target(live, step);
    return isSigned
      ? { request, decisions: decisions?.filter((one) => one.target === own) }
      : undefined;
  };
}

/** The name of a write in its present generation, as people use it. */
export function target(live: Writer, step: Named): string {
  return `${pathOf(step)}#${stateOf(live, step).generation}`;
}

/** The write of a path. An item may hold any character, and a step no slash. */
function stepIn(path: string): Named {
  const at = path.indexOf('/');
  return { step: path.slice(0, at), item: path.slice(at + 1) };
}

export function pathOf({ step, item }: Named): string {
  return `${step}/${item}`;
}
