import { patched, workflowInfo } from '@temporalio/workflow';
import type { Tries, WriteIdentity } from '../../activities/attempt';
import type { Settled } from '../../activities/chain/archive';
import type { Place } from '../../activities/chain/place';
import type { OpenedOrder } from '../../activities/guard/openOrder';
import type { Decision } from '../../src/orders/input/signed';
import type { OrderKind } from '../../src/orders/kinds';
import type { Finding } from '../../src/orders/progress/resolve';
import type { Moment, Progress } from '../../src/orders/progress/status';
import type { PayoutBook } from '../payout/records';
import { loggedAs, type WriteState } from '../write/writeState';

/** State that a run hands to the next one when it continues as new. Plain JSON. */
export type Carried = {
  opened?: OpenedOrder<OrderKind>;
  /** Results of finished steps, by path. No step is done twice. */
  done: Record<string, unknown>;
  /** Every write that was ever considered, by path. */
  writes: Record<string, WriteState>;
  /** Paths of the writes of which nothing is pending any more. */
  over: string[];
  /** The guard's look-up of the first write was used. */
  hasLooked?: boolean;
  /** When the guard was asked, which looks the first write up. */
  openedAtMs?: number;
  /** Results of the steps so far, for the failure of an order that ends half-way. */
  made: Record<string, unknown>;
  /** Moments so far. */
  progress: Moment[];
  /** Number of accelerations of each transaction. Each one has a key of its own. */
  accelerations?: Record<string, number>;
  /** The order may have done things that stand in another run's history. See isDoubtful. */
  doubtful: boolean;
  /** A cancellation was requested. It takes effect once nothing is pending. */
  cancelAsked: boolean;
  /** With an archive: the settled transactions, and their places on the chain by their ids. */
  settled?: Settled[];
  places?: Record<string, Place>;
  /** A payout's parts, and the state of their shards. */
  payout?: PayoutBook;
  /** Signatures of people on what the order asks for. The process that signs verifies them. */
  decisions?: Decision[];
  /** Nothing more is sent until the order is resumed. */
  paused?: NonNullable<Progress['paused']>;
};

/** The way to answer a person's request. */
export type Answering = { answer: (words: string) => void; refuse: (reason: string) => void };

/** A person's finding on a write in doubt, and the way to answer it. */
export type Asked = Answering & { finding: Finding };

/** A settling transaction, and a person's request to pay more for it so that it settles sooner. */
export type Settling = { transactionId: string; accelerating?: Answering };

/** A running order: its knowledge, its results, and its view from outside. */
export type LiveOrder<Kind extends OrderKind = OrderKind> = {
  opened: OpenedOrder<Kind>;
  /** The order as it was given, for continuing as new. */
  order: unknown;
  carried: Carried;
  progress: Progress;
  woken: boolean;
  /** The service has told that the transaction that settles now, or the next one, is final. */
  noticed: boolean;
  /** The write that waits for a person's finding, also while it is looked up once more. */
  parked?: string | undefined;
  asked?: Asked | undefined;
  /** The transaction that settles now. */
  settling?: Settling | undefined;
  /** Temporal itself has asked to cancel this run. */
  cancelledByTemporal: boolean;
  /** False until the namespace is known to have our search attributes. */
  searchAttributes: boolean;
};

/** The name of a write outside and in write logs: "<step>/<item>#<generation>". */
export function targetOf({ step, item, generation }: WriteIdentity['parts']): string {
  return `${step}/${item}#${generation}`;
}

/** The state of the write that waits for a person's finding. */
export function parkedState({ parked, carried }: LiveOrder): WriteState | undefined {
  return parked === undefined ? undefined : carried.writes[parked.replace(/#.*$/, '')];
}

/** True if the service has accepted a write, whatever became of it. */
export function wasAccepted({ accepted }: Pick<WriteState, 'accepted'>): boolean {
  return accepted !== undefined;
}

/** The write log: every write that was ever scheduled. Later runs of the id build on it. */
export function writeLogOf({ carried }: LiveOrder): Record<string, Tries> {
  const now = Object.entries(carried.writes).map(([path, state]): [string, Tries] => [
    `${path}#${state.generation}`,
    loggedAs(state),
  ]);
  return { ...carried.opened?.earlier.writes, ...Object.fromEntries(now) };
}

/**
 * True if the order may have done more than this run remembers: after a reset, or when Temporal
 * restarts a continued run. Every write then counts as ambiguous. A reset run replays a part of the
 * old run, which was decided without doubt and must be decided so again. A patch marks where that
 * part ends. Every replay asks for the patch. The run ids alone do not tell: a history that is
 * replayed elsewhere has the old run's id. A second reset keeps the first one's patch. If the patch
 * is not in the history, asking leaves no trace.
 */
export function isDoubtful({ carried }: { carried: Pick<Carried, 'doubtful'> }): boolean {
  const { runId, originalExecutionRunId, unsafe } = workflowInfo();
  if (!carried.doubtful && (runId !== originalExecutionRunId || unsafe.isReplaying)) {
    carried.doubtful = patched('reset');
  }
  return carried.doubtful;
}
