import { patched, workflowInfo } from '@temporalio/workflow';
import type { Tries, WriteIdentity } from '../activities/attempt';
import type { OpenedOrder } from '../activities/openOrder';
import type { OrderKind } from '../src/orders/kinds';
import type { Finding } from '../src/orders/resolve';
import type { Moment, Progress } from '../src/orders/status';
import type { PayoutBook } from './payout/book';

/** A write of this order, and how far it has come. */
export type WriteState = {
  identity: WriteIdentity;
  /** open until the service has taken it, accepted until nothing of it is under way any more. */
  stage: 'open' | 'accepted' | 'settled';
  /** When the service's list was last gone through for it, from the beginning. */
  lookedAtMs?: number;
  /** Set while it is not known whether it was taken: since when it is looked for, and why. */
  doubt?: { sinceMs: number; why: string; looks: number; parkedLooks?: number };
  /** What is known of its tries and of the looks for it, oldest first, for whoever decides. */
  evidence: string[];
  /** It was found in the service's list, and not sent by this run. */
  found?: boolean;
};

/** What a run hands on to the next one when it continues as new. Plain JSON. */
export type Carried = {
  opened?: OpenedOrder<OrderKind>;
  /** Results of finished steps by their path: no step is done again. */
  done: Record<string, unknown>;
  /** Every write that was ever scheduled, by its path. */
  writes: Record<string, WriteState>;
  /** What the steps have made so far, for the failure of an order that ends half-way. */
  made: Record<string, unknown>;
  /** What has happened; a build before this one has carried words alone. */
  progress: (Moment | string)[];
  /** How often each transaction was looked at, so that the delays go on where they were. */
  looks: Record<string, number>;
  /** How often each transaction was accelerated: every time has a key of its own. */
  hurries?: Record<string, number>;
  /** What the order did before may stand in a history that is no longer its own: see isDoubtful. */
  doubtful: boolean;
  /** A cancellation was asked for; it takes effect as soon as nothing is under way. */
  cancelAsked: boolean;
  /** Of a payout: its parts, and where their shards stand. */
  payout?: PayoutBook;
  /** Nothing more is sent until the order is resumed. */
  paused?: NonNullable<Progress['paused']>;
};

/** A person's finding on a write in doubt, and how to tell them what came of it. */
export type Asked = {
  finding: Finding;
  answer: (words: string) => void;
  refuse: (reason: string) => void;
};

/** A transaction that settles, and a person's wish that it be paid more for, to settle sooner. */
export type Settling = {
  transactionId: string;
  hurry?: { answer: (words: string) => void; refuse: (reason: string) => void };
};

/** One order on its way: what it knows, what it has made, and how it is seen from outside. */
export type Run<Kind extends OrderKind = OrderKind> = {
  opened: OpenedOrder<Kind>;
  /** The order as it was given, to continue as new with. */
  order: unknown;
  carried: Carried;
  progress: Progress;
  woken: boolean;
  /** The write that waits for a person's finding, if one does. */
  parked?: { target: string; youngUntilMs: number } | undefined;
  asked?: Asked | undefined;
  /** What settles now, if something does. */
  settling?: Settling | undefined;
  /** Temporal itself has asked to cancel this very run. */
  cancelledByTemporal: boolean;
  /** False until it is known that the namespace has our search attributes. */
  searchAttributes: boolean;
};

/** How a write is named from outside, and in accounts: "<step>/<item>#<generation>". */
export function targetOf({ step, item, generation }: WriteIdentity['parts']): string {
  return `${step}/${item}#${generation}`;
}

/** What is known of every write that was ever scheduled: any later run of its id builds on this. */
export function accountOf({ carried }: Run): Record<string, Tries> {
  const now = Object.values(carried.writes).map(({ identity, stage }) => [
    targetOf(identity.parts),
    stage === 'open' ? identity.earlierTries : 'ambiguous',
  ]);
  return { ...carried.opened?.earlier.writes, ...Object.fromEntries(now) };
}

/**
 * Whether the order may have done more than this run remembers: after a reset, or when Temporal
 * itself starts a continued run again. Every write then counts as ambiguous. What a reset run
 * replays of the other one's history was decided without doubt, and must be decided so again; a
 * patch tells where that ends. It is asked for in every replay, since a history that is replayed
 * elsewhere bears the name of the run that it was reset from, and one that is reset again goes on
 * with the patch of the first time. Where it is not in the history, asking leaves no trace.
 */
export function isDoubtful({ carried }: { carried: Pick<Carried, 'doubtful'> }): boolean {
  const { runId, originalExecutionRunId, unsafe } = workflowInfo();
  if (!carried.doubtful && (runId !== originalExecutionRunId || unsafe.isReplaying)) {
    carried.doubtful = patched('reset');
  }
  return carried.doubtful;
}
