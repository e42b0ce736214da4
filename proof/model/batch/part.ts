import type { OpenedShard } from '../../../activities/payout/openShard';
import type { BatchedPayments } from '../../../src/custody/batch';
import type { LineResult } from '../../../src/orders/payout';
import type { Steer } from '../../../workflows/payout/records';
import type { ShardCarried } from '../../../workflows/payout/shard/shard';
import type { WriteState } from '../../../workflows/write/machine/writeState';
import type { Player } from '../loop/temporal/player';
import { type Place, type Played, Positions } from '../loop/temporal/positions';
import type { Call, Happened, Told } from '../loop/temporal/told';
import { beforeWriterMs, graceMs, laterMs, nowMs } from '../world';
import { partOrder, workflowId } from './partOrder';
import type { BatchScope } from './scopes';

/** One thing that a call asks for. Each activity reads its own fields. */
export type Asked = {
  parts: { step: string; item: string; generation: number };
  earlierTries: 'clean' | 'ambiguous';
  lookedUpAgoMs?: number;
  input: Omit<BatchedPayments, 'tokenAddress' | 'payments'> & { abiParameters?: unknown[] };
  lineIds: string[];
  ids: string[];
  named: string;
  search: { id: string };
};

/** A place shows its state, every line with its outcome, and both in words. */
type Shard = {
  carried: ShardCarried;
  given: Asked | Asked[];
  seen: { carried: ShardCarried | undefined; results: readonly LineResult[]; told: string };
};

/** A place at which a part of a payout waits. */
export type Part = Place<Shard>;
export type PartCall = Call<Shard['given']>;

/** The room that its payout gives a part. */
export const room: Steer = { firstRunId: '', openMax: 9, linesPerS: null, isCancelled: false };

/** Plays the workflow of a part, in the batches of a scope. */
export class Parts {
  readonly places: Positions<Shard>;

  constructor(
    play: Player,
    readonly scope: BatchScope,
  ) {
    this.places = new Positions(play, playedIn(scope));
  }

  /** A new run. Its guard has told it of the runs before. A message may have come earlier. */
  opened(size: number | false, before: OpenedShard, message?: Happened): Part {
    const { places } = this;
    const begun = places.begun(partOrder(this.scope, size));
    const part = message === undefined ? begun : places.next(begun, message).place;
    const call = part.calls.find(({ name }) => name === 'openShard')?.number ?? 0;
    return places.next(part, { kind: 'answer', call, value: before }).place;
  }

  /** The part as Temporal's backup has it, a grace period later. Its look-ups are of before. */
  restored(backup: Part): Part {
    const before = (write: WriteState): WriteState =>
      write.lookedUpAtMs === undefined ? write : { ...write, lookedUpAtMs: beforeWriterMs };
    return this.places.again(backup, ({ writes, ...state }) => {
      return { ...state, writes: mapped(writes, before) };
    });
  }
}

function playedIn({ bundles }: BatchScope): Played<Shard> {
  return {
    workflow: 'payoutShard',
    workflowId: `${workflowId}:1`,
    asks: 'lines',
    // Only an operation that is bundled again shows on the chain after its record is final.
    momentous: new Set(bundles ? ['checkReceipts'] : []),
    ticksMax: 1,
    plain: { holdFor: undefined, readDecided: { findings: {} } },
    shortened,
    seenIn: (told) => ({ carried: told.carried, ...linesIn(told) }),
  };
}

/** The lines of a place. What people read beside them does not count. */
function linesIn({ shown = [], calls, outcome }: Told): Omit<Shard['seen'], 'carried'> {
  const text = JSON.stringify(shown, (name, value: unknown) =>
    name === 'reason' ? undefined : value,
  );
  const results: LineResult[] = JSON.parse(text);
  const lines = results.map(
    ({ outcome, generation }, line) => `${line + 1}#${generation} ${outcome}`,
  );
  const waits = calls.map(({ name }) => name).join(' and ') || 'time to pass';
  const next = outcome === undefined ? `it waits for ${waits}` : `it is ${outcome.kind}`;
  return { results, told: `${lines.join(', ')}, and ${next}` };
}

/**
 * The part of a carried state that decides. A driver may be woken at any time, so waiting times do
 * not, except before an attempt, and for requests of an ended run. Keys are young until a month has
 * passed. The payout answers a report with all the room.
 */
function shortened(carried: ShardCarried): ShardCarried {
  const { writes, batches = {}, formed = [], earlier, batchOf = {}, unpaidIn = {} } = carried;
  const { lookedAgain = [], cancelAsked, isClosed, steer, doubtedAtMs, heldBack } = carried;
  return {
    cancelAsked,
    isClosed,
    steer: { ...room, isCancelled: steer.isCancelled },
    done: {},
    progress: [],
    writes: mapped(writes, shortWrite),
    batches: mapped(batches, (batch) => batch),
    formed: [...formed].sort(),
    batchOf: mapped(batchOf, (item) => item),
    unpaidIn: mapped(unpaidIn, (items) => [...items].sort()),
    lookedAgain: [...lookedAgain].sort(),
    ...(earlier && { earlier: { bornAtMs: nowMs, writes: {}, others: earlier.others } }),
    ...heldOf(heldBack),
    ...(doubtedAtMs === undefined ? {} : { doubtedAtMs: notOlder(doubtedAtMs) }),
  };
}

/** A wait that is over keeps only the records that it was for. */
function heldOf(heldBack: ShardCarried['heldBack']): Pick<ShardCarried, 'heldBack'> {
  if (heldBack === undefined || heldBack.untilMs > nowMs) return { ...(heldBack && { heldBack }) };
  const { strangers } = heldBack;
  return strangers === undefined ? {} : { heldBack: { untilMs: 0, items: [], strangers } };
}

function shortWrite(write: WriteState): WriteState {
  const { evidence, times, why, isFound, proof, notBeforeMs, bornAtMs, ...others } = write;
  const { sinceMs, lookedUpAtMs, final, ...rest } = others;
  const isTimed = ['doubt', 'accepted', 'disputed'].includes(write.stage) && sinceMs !== undefined;
  const isFresh = lookedUpAtMs !== beforeWriterMs;
  const isDelayed = write.stage === 'ready' && notBeforeMs !== undefined && notBeforeMs > nowMs;
  return {
    ...rest,
    knownAtMs: nowMs,
    ...(isDelayed ? { notBeforeMs: laterMs } : {}),
    ...(isTimed ? { sinceMs: notOlder(sinceMs) } : {}),
    ...(final ? { final: { ...final, sinceMs: notOlder(final.sinceMs) } } : {}),
    ...(lookedUpAtMs === undefined ? {} : { lookedUpAtMs: isFresh ? nowMs : beforeWriterMs }),
  };
}

function mapped<One, Other>(all: Record<string, One>, as: (one: One) => Other) {
  const entries = Object.entries(all).map(([name, one]) => [name, as(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function notOlder(timeMs: number): number {
  return Math.max(timeMs, nowMs - graceMs);
}
