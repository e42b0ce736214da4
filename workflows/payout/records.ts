import type { AddedPart } from '../../activities/payout/addPart';
import type { PartResult } from '../../activities/payout/shards';
import type { Tally } from '../../src/orders/payout/tally';

/** A payout's wishes of a shard. All of them are sent each time, so that a lost signal costs little. */
export type Steer = {
  /** First run of the payout that wishes this. A line is sent only while that payout runs. */
  firstRunId: string;
  maySend: boolean;
  /** How many lines may be under way at a time. */
  openMax: number;
  linesPerS: number | null;
  paused: boolean;
  /** Why nothing more is to be sent, ever. */
  stopped?: string;
};

/** A shard's report to its payout. It is whole each time, so that a lost one costs little. */
export type ShardReport = {
  part: number;
  /**
   * ready: waits to be told to begin. paying: has lines to send. stuck: has, and cannot. settling:
   * all are sent. idle: waits for a person. over: done.
   */
  stage: 'ready' | 'paying' | 'stuck' | 'settling' | 'idle' | 'over';
  tally: Tally;
  open: number;
  /** Lines of which nobody knows what became of them, as `resolve` names them; the first ones. */
  unknown: { target: string; evidence: string[] }[];
  trouble?: { type: string; message: string };
};

/** A part of a payout: its sums, and the state of its shard. No lines. */
export type Part = Omit<AddedPart, 'hash'> & {
  /** Of its lines; not known of a part that an earlier run has paid. */
  hash?: string;
  /** The last wishes that its shard was sent. */
  steer?: Steer;
  /** For people, and for sharing out what may be sent. Nothing ends because of it. */
  report?: ShardReport;
  /** The end of this part, from the result of its shard. */
  result?: PartResult;
  /** Its shard is to be looked at: it says that it is over, or does not answer. */
  mustSee?: boolean;
  /** An earlier run of the payout has started its shard, and perhaps told it to send. */
  isAdopted?: boolean;
  /** Since when it may send. */
  turnAtMs?: number;
};

/** A payout's knowledge. It is carried from run to run, so it is small: it has no lines. */
export type PayoutBook = {
  parts: Record<string, Part>;
  /** Nothing is paid before. */
  sealed: boolean;
  warnings: string[];
  /** Parts that are being taken: a seal waits for them, as after a reset all are told at once. */
  taking: number[];
  /** What somebody has set since the start; null is no limit. */
  linesPerS?: number | null;
  /** How many lines had come to an end, and when: what the rate follows from. */
  pace: { atMs: number; ended: number }[];
};
