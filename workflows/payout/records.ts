import { defineUpdate } from '@temporalio/workflow';
import type { FoundPayment } from '../../activities/payout/findLines';
import type { AddedPart } from '../../activities/payout/shardOrder';
import type { PartResult } from '../../activities/payout/shards';
import type { ApprovalWanted } from '../../src/custody/objects/approval';
import type { CheckedLines } from '../../src/orders/input/checkedLines';
import type { Decision, Signed } from '../../src/orders/input/signed';
import type { ResolvedWallet } from '../../src/orders/kind';
import type { Tally } from '../../src/orders/payout/tally';
import type { PlaceInTree } from '../../src/writer/signing/lineTree';

/** A payout's wishes of a shard. All of them are sent each time, so that a lost signal costs little. */
export type Steer = {
  /** First run of the payout that wishes this. A line is sent only while that payout runs. */
  firstRunId: string;
  /** Number of lines that may be pending at a time. */
  openMax: number;
  linesPerS: number | null;
  /** Nothing more is to be sent, ever. */
  isCancelled: boolean;
  /** The archive's digest of all lines. Undefined without an archive, and before the seal. */
  linesDigest?: string | undefined;
  /** The signatures for the lines. Undefined for an unsigned payout, and before the seal. */
  signed?: Signatures | undefined;
};

/** Wishes as a payout keeps them. A signature stands as its target, since parts are many. */
export type Wishes = Omit<Steer, 'signed'> & { decided?: string[] | undefined };

/** The signatures of a payout, and the place of one part among all of its lines. */
export type Signatures = { request: Signed; decisions: Decision[]; place: PlaceInTree };

/** Lines that a person gives up or does not want sent, and why. */
export type Skip = { lineIds: string[]; reason: string };

/** The wish of a person to skip lines. A payout hands it on to its shards. */
export const skipUpdate = defineUpdate<string, [Skip]>('skip');

/** A question about one line, and the reason for it. */
export type LineQuestion = { message: string; approval: ApprovalWanted };

/** A shard's report to its payout. It is whole each time, so that a lost one costs little. */
export type ShardReport = {
  part: number;
  /** The run of the shard that says it. */
  runId: string;
  tally: Tally;
  /**
   * The first line in doubt, as `resolve` names it. Service and chain may disagree about it,
   * although the chain shows the transaction that has paid it.
   */
  unknown: { target: string; evidence: string[]; isDisputed?: true; paidIn?: string }[];
  trouble?: { type: string; message: string; approval?: ApprovalWanted | undefined };
  /** Lines that people decide about one by one. */
  asking?: { count: number; first: readonly LineQuestion[] };
  isOver?: boolean;
};

/** A part of a payout: its sums, and the state of its shard. No lines. */
export type Part = AddedPart & {
  /** Its place among all lines, where the payout was signed. */
  place?: PlaceInTree | undefined;
  /** The last wishes that its shard was sent. */
  steer?: Wishes;
  /** For people, and for sharing out what may be pending. Nothing ends because of it. */
  report?: ShardReport;
  /** The end of this part, from the result of its shard. */
  result?: PartResult;
  /** Its shard is to be looked at: it says that it is over, or does not answer. */
  mustSee?: boolean;
};

/** A payout's knowledge. It is carried from run to run, so it is small: it has no lines. */
export type PayoutBook = {
  parts: Record<string, Part>;
  /** Nothing is paid before. */
  sealed: boolean;
  /** When this run sealed it. The rate is told from then on. */
  sealedAtMs?: number;
  warnings: string[];
  /** The parts of earlier runs were looked for. */
  isAdopted?: boolean;
  /** The checks of the lines, once they are sealed. */
  checks?: CheckedLines | undefined;
  /** Why the last seal was refused. Unset once one is accepted. */
  refused?: string;
  /** The parts that are being checked, or the seal. The seal waits for parts, and they for it. */
  checking: string[];
  /** Set by somebody since the start. Null is no limit. */
  linesPerS?: number | null;
};

/** A batch as runs hand it on. It stands for its lines until it has ended. */
export type CarriedBatch = {
  /** The wallet that pays it. A payout that was started again may not name it any more. */
  wallet: ResolvedWallet;
  token: string;
  /** The lines of this part that it pays are named in it. */
  payments: FoundPayment[];
  gasLimit?: string;
  /** Payments that have failed alone, as its receipt shows. */
  unpaid?: { at: number; reason?: string }[] | undefined;
};
