import type { FoundPayment } from '../../../activities/payout/findLines';
import type { OpenedShard } from '../../../activities/payout/openShard';
import type { ShardOrder } from '../../../activities/payout/shardOrder';
import type { outdatedWords } from '../../../activities/sendRefusal';
import { markOf } from '../../../src/custody/batch';
import type * as batches from '../../../workflows/payout/shard/batches/batches';
import type { newShard } from '../../../workflows/payout/shard/open/newShard';
import type { takeUpRuns } from '../../../workflows/payout/shard/open/takeUp';
import type { Payment } from '../../../workflows/payout/shard/payments';
import type * as people from '../../../workflows/payout/shard/people';
import type * as reading from '../../../workflows/payout/shard/reading';
import type { resultsOf } from '../../../workflows/payout/shard/results';
import type { answerAfterReset, sendable } from '../../../workflows/payout/shard/send';
import type { Shard, ShardCarried } from '../../../workflows/payout/shard/shard';
import type { wake } from '../../../workflows/payout/shard/steer';
import type { refusalOf } from '../../../workflows/write/machine/finding';
import type * as writeState from '../../../workflows/write/machine/writeState';
import type { WriteState } from '../../../workflows/write/machine/writeState';
import { graceMs, nowMs } from '../world';
import { partOrder, recipientOf, workflowId } from './partOrder';
import { type Attempt, type BatchScope, type OpenedPart, type Request, wordsOf } from './world';

/** The product's own rules of a part, or a copy of them with a planted bug. */
export type PartMachine = {
  newShard: typeof newShard;
  takeUpRuns: typeof takeUpRuns;
  resultsOf: typeof resultsOf;
  sendable: typeof sendable;
  answerAfterReset: typeof answerAfterReset;
  refusalOf: typeof refusalOf;
  outdatedWords: typeof outdatedWords;
  wake: typeof wake;
} & Pick<typeof people, 'skipNow' | 'retryNow'> &
  Pick<typeof batches, 'formBatches' | 'lookUpFromMs'> &
  Pick<typeof reading, 'hearLookUp' | 'hearReceipt'> &
  Pick<typeof writeState, 'wishOf' | 'isAsking'>;

/** Drives the product's rules of a part. They are pure here, so each question is asked once. */
export class Parts {
  private readonly known = new Map<string, OpenedPart>();
  private readonly answers = new Map<string, OpenedPart>();
  private readonly orders = new Map<number | false, ShardOrder>();
  private readonly shards = new WeakMap<OpenedPart, Shard>();

  constructor(
    readonly machine: PartMachine,
    readonly scope: BatchScope,
  ) {}

  /** A new run of the part. */
  opened(size: number | false, before: OpenedShard): OpenedPart {
    const question = `${size} ${JSON.stringify(before)}`;
    return this.once(question, () => {
      const shard = this.machine.newShard(this.order(size));
      this.machine.takeUpRuns(shard, before);
      return this.kept(size, shard);
    });
  }

  /** The part after something has happened to it. */
  after(part: OpenedPart, event: string, change: (shard: Shard) => void): OpenedPart {
    return this.once(`${part.number} ${event}`, () => {
      const shard = this.copyOf(part);
      change(shard);
      return this.kept(part.size, shard);
    });
  }

  /** The part to read. Nobody may change it. */
  shardOf(part: OpenedPart): Shard {
    const known = this.shards.get(part) ?? this.copyOf(part);
    this.shards.set(part, known);
    return known;
  }

  private copyOf({ size, carried }: OpenedPart): Shard {
    return this.machine.newShard(this.order(size), JSON.parse(JSON.stringify(carried)));
  }

  /** The part one grace period later, seen from then. */
  older(part: OpenedPart): OpenedPart {
    return this.once(`${part.number} older`, () => {
      const shard = this.copyOf(part);
      const { carried } = shard;
      for (const state of Object.values(carried.writes)) {
        if (state.sinceMs !== undefined) state.sinceMs -= graceMs;
        if (state.final !== undefined) state.final.sinceMs -= graceMs;
      }
      // It ends within this grace period.
      if (carried.heldBack !== undefined) carried.heldBack.untilMs = nowMs;
      if (carried.doubtedAtMs !== undefined) carried.doubtedAtMs -= graceMs;
      return this.kept(part.size, shard);
    });
  }

  private once(question: string, answer: () => OpenedPart): OpenedPart {
    const known = this.answers.get(question) ?? answer();
    this.answers.set(question, known);
    return known;
  }

  private toldBy(shard: Shard): string {
    const all = shard.payments.all().map((one) => {
      return `${wordsOf(requestOf(shard, one))} ${shard.writes.stateOf(one).stage}`;
    });
    return all.join(', ');
  }

  /** The batch as a look-up reads it: only the lines that it searches have names. */
  paymentsOf(pays: readonly Attempt[], searched: ReadonlySet<string>): FoundPayment[] {
    return pays.map(([line, generation]) => {
      const lineId = String(line);
      const to = recipientOf(this.scope.lines[line] ?? '');
      const paid = { to, baseUnits: '1000000', mark: markOf(workflowId, lineId, generation) };
      return searched.has(lineId) ? { ...paid, line: { lineId, generation } } : paid;
    });
  }

  /** The part after the begin of a turn. */
  private kept(size: number | false, shard: Shard): OpenedPart {
    const { formBatches, resultsOf } = this.machine;
    formBatches(shard);
    for (const one of shard.payments.at('ready')) {
      const isCancelled = shard.carried.cancelAsked || shard.writes.stateOf(one).isCancelled;
      if (isCancelled) shard.writes.hear(one, { kind: 'sending' });
    }
    const results = resultsOf(shard);
    const text = JSON.stringify([size, shortened(shard.carried)]);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const [, carried]: [unknown, ShardCarried] = JSON.parse(text);
    const part = { number: this.known.size + 1, size, carried, results, told: this.toldBy(shard) };
    this.known.set(text, part);
    return part;
  }

  private order(size: number | false): ShardOrder {
    const known = this.orders.get(size) ?? partOrder(this.scope, size);
    this.orders.set(size, known);
    return known;
  }
}

/** The request that an attempt sends. */
export function requestOf({ writes }: Shard, one: Payment): Request {
  const { generation } = writes.stateOf(one);
  const { step, item } = one;
  const pays: Attempt[] =
    step === 'line'
      ? [[Number(item), generation]]
      : one.payments.flatMap(({ line }) => (line ? [[Number(line.lineId), line.generation]] : []));
  return { path: `${step}/${item}`, generation, pays };
}

/**
 * The part of a carried state that decides. A driver may be woken at any time, so waiting times do
 * not, except the wait for requests of an ended run. Keys are young until a month has passed.
 */
function shortened(carried: ShardCarried): object {
  const {
    writes,
    batches = {},
    formed = [],
    earlier,
    batchOf = {},
    doubtedAtMs,
    heldBack,
  } = carried;
  const { cancelAsked, isClosed, steer } = carried;
  return {
    cancelAsked,
    isClosed,
    steer,
    done: {},
    progress: [],
    writes: sorted(writes, shortWrite),
    batches: sorted(batches, (batch) => batch),
    formed: [...formed].sort(),
    batchOf: sorted(batchOf, (item) => item),
    earlier: earlier && { bornAtMs: nowMs, writes: {}, others: earlier.others },
    ...heldOf(heldBack),
    ...(doubtedAtMs === undefined ? {} : { doubtedAtMs: notOlder(doubtedAtMs) }),
  };
}

/** Of a wait that is over, only the records that it was for. */
function heldOf(heldBack: ShardCarried['heldBack']): Pick<ShardCarried, 'heldBack'> {
  if (heldBack === undefined || heldBack.untilMs > nowMs) return { ...(heldBack && { heldBack }) };
  const { strangers } = heldBack;
  return strangers === undefined ? {} : { heldBack: { untilMs: 0, items: [], strangers } };
}

function shortWrite(write: WriteState): WriteState {
  const { evidence, times, why, isFound, sinceMs, notBeforeMs, bornAtMs, final, ...other } = write;
  const { lookedUpAtMs, ...rest } = other;
  const isTimed = ['doubt', 'accepted', 'disputed'].includes(write.stage) && sinceMs !== undefined;
  return {
    ...rest,
    knownAtMs: nowMs,
    ...(isTimed ? { sinceMs: notOlder(sinceMs) } : {}),
    ...(final ? { final: { ...final, sinceMs: notOlder(final.sinceMs) } } : {}),
    ...(lookedUpAtMs === undefined ? {} : { lookedUpAtMs }),
  };
}

function sorted<One, Other>(all: Record<string, One>, as: (one: One) => Other) {
  const entries = Object.entries(all).map(([name, one]) => [name, as(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function notOlder(timeMs: number): number {
  return Math.max(timeMs, nowMs - graceMs);
}
