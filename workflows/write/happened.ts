import { workflowInfo } from '@temporalio/workflow';
import { isDoubtful, type LiveOrder, targetOf } from '../order/liveOrder';
import { firstState } from './firstState';
import { next } from './state';
import { identityOf } from './step';
import type { Happening, WriteState } from './writeState';

/** Takes an event into a write's state. */
export function happened(
  live: LiveOrder,
  step: { step: string; item: string },
  happening: Happening,
): WriteState {
  const { opened: terms } = live;
  const nowMs = Date.now();
  let before = stateOf(live, step);
  if (isDoubtful(live)) {
    const forgotten = next(before, { kind: 'forgot', nowMs }, terms);
    // What was read before a reset does not show what was sent after it.
    if (forgotten !== before && happening.kind === 'looked') {
      live.carried.writes[pathOf(step)] = forgotten;
      return forgotten;
    }
    before = forgotten;
  }
  if (live.carried.cancelAsked) before = next(before, { kind: 'cancel', why: '', nowMs }, terms);
  const after = next(before, { ...happening, nowMs }, terms);
  live.carried.writes[pathOf(step)] = after;
  return after;
}

/** Says that nothing of a write is pending any more. */
export function settled(live: LiveOrder, step: { step: string; item: string }): void {
  const path = pathOf(step);
  if (!live.carried.over.includes(path)) live.carried.over.push(path);
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(live: LiveOrder, path: string, make: () => Promise<T>): Promise<T> {
  if (path in live.carried.done) return live.carried.done[path] as T;
  const made = await make();
  live.carried.done[path] = made;
  return made;
}

/** The state of a write. Before its first event, it is what earlier runs of the order left. */
export function stateOf(live: LiveOrder, step: { step: string; item: string }): WriteState {
  const path = pathOf(step);
  const known = live.carried.writes[path];
  if (known !== undefined) return known;
  const { order, earlier } = live.opened;
  const generation = order.generations[path] ?? 0;
  const now = { isForgotten: isDoubtful(live), nowMs: Date.now() };
  const state = firstState({ path, generation }, earlier, now);
  live.carried.writes[path] = state;
  return state;
}

/** The identity of a write in its present generation. */
export function identity(live: LiveOrder, step: { step: string; item: string }) {
  const { order, memory } = live.opened;
  const { workflowId } = workflowInfo();
  const place = { workflowId, baseUrl: memory.baseUrl, validUntil: order.validUntil };
  return identityOf(step, stateOf(live, step), place);
}

/** The name of a write in its present generation, as people use it. */
export function target(live: LiveOrder, step: { step: string; item: string }): string {
  return targetOf(identity(live, step).parts);
}

export function pathOf({ step, item }: { step: string; item: string }): string {
  return `${step}/${item}`;
}
