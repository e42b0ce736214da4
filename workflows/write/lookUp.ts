import type { Found, Trace } from '../../activities/lookUp';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import { isDoubtful, type LiveOrder, type WriteState } from '../order/liveOrder';
import { readThrough } from '../order/read';
import { standStill } from '../order/wait';
import type { Sought } from './step';

const evidenceMax = 24;

/** What a look came to: the write itself, or whether nothing forbids to send it. */
export type Look<T> = { accepted?: T; mayStart: boolean };

/**
 * Looks for a write in the permanent list of the service, by its reference. All generations are
 * seen, and the order goes on from the highest. A generation that was decided upon may start only
 * where the one before it is proven to have had no effect.
 */
export async function lookFor<T>(
  live: LiveOrder,
  sought: Sought<T>,
  state: WriteState,
): Promise<Look<T>> {
  for (let look = 1; ; look++) {
    const found = await listed(live, sought, state);
    note(state, `${seenWords(found)}, with the reference of this write: ${found.traces.length}`);
    const latest = highest(found.traces);
    if (latest.length < 2) return goOnFrom(state, latest[0]);
    await standStill(live, { type: 'NeedsOperator', ...twice(sought.doing, latest) }, look);
  }
}

/** What the list shows; the guard has read it for the first write of the order already. */
async function listed<T>(live: LiveOrder, sought: Sought<T>, state: WriteState): Promise<Found<T>> {
  const { parts } = state.identity;
  const startedAtMs = Date.now();
  const { firstLook } = live.opened;
  const isFirst = state.lookedAtMs === undefined && !isDoubtful(live);
  state.lookedAtMs ??= startedAtMs;
  if (isFirst && firstLook?.path === `${parts.step}/${parts.item}`) {
    return firstLook.found as Found<T>;
  }
  return readThrough(live, `look for an earlier ${sought.doing}`, (from) =>
    sought.find(from, { parts }),
  );
}

/** Adds a line to what is known of a write, with its time; of many, the first and the last stay. */
export function note(state: WriteState, words: string): void {
  state.evidence.push(`${new Date().toISOString()} ${words}`);
  if (state.evidence.length > evidenceMax) state.evidence.splice(evidenceMax / 2, 1);
}

/** Whether a record proves that its transaction had no effect, and never will have. */
export function hadNoEffect({ state }: Pick<Transaction, 'state'>): boolean {
  const end = finalState(state);
  return end !== undefined && end !== 'COMPLETE';
}

function goOnFrom<T>(state: WriteState, trace: Trace<T> | undefined): Look<T> {
  const { parts } = state.identity;
  if (trace === undefined) return { mayStart: parts.generation === 0 };
  const isOver = trace.record !== undefined && hadNoEffect(trace.record);
  if (trace.generation < parts.generation && isOver) return { mayStart: true };
  state.identity = { ...state.identity, parts: { ...parts, generation: trace.generation } };
  return { accepted: trace.accepted, mayStart: false };
}

/** The traces of the highest generation; of several, only those that may have had an effect. */
function highest<T>(traces: readonly Trace<T>[]): Trace<T>[] {
  const generation = Math.max(...traces.map((trace) => trace.generation));
  const latest = traces.filter((trace) => trace.generation === generation);
  const effective = latest.filter(({ record }) => record === undefined || !hadNoEffect(record));
  return effective.length > 0 ? effective : latest.slice(0, 1);
}

function seenWords({ seen }: { seen: number }): string {
  return `looked through ${seen} record${seen === 1 ? '' : 's'} of the service`;
}

function twice(doing: string, traces: readonly Trace<unknown>[]) {
  const ids = traces.flatMap(({ record }) => record?.id ?? []);
  const message =
    `The service has ${traces.length} records of the ${doing} under one reference ` +
    `(${ids.join(', ')}). Nothing more is sent for this order. Find out where they come from.`;
  return { message, facts: { ambiguous: true } };
}
