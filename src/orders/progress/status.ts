import type { ApprovalWanted } from '../../custody/objects/approval';
import type { Tally } from '../payout/tally';

/** An order's statuses, as operators filter by them. Pure data: workflows import it. */
export const statuses = [
  'Preparing',
  'Waiting',
  'Settling',
  'Paused',
  'NeedsApproval',
  'Unknown',
  'NeedsOperator',
  'Done',
  'Refused',
  'Failed',
  'Cancelled',
] as const;
export type Status = (typeof statuses)[number];

/** True for an order that has ended. It sends nothing more, and nobody can resume it. */
export function isEnd(status: Status): boolean {
  return ['Done', 'Refused', 'Failed', 'Cancelled'].includes(status);
}

/** True while an order waits for a person to decide or to mend something. */
export function needsPerson(status: Status): boolean {
  return ['Unknown', 'NeedsOperator', 'NeedsApproval'].includes(status);
}

/** The search attributes of orders. All are keywords. */
export const attributeNames = [
  'SteadfastStatus',
  'SteadfastKind',
  'SteadfastWallet',
  'SteadfastToken',
  'SteadfastRef',
] as const;
export type AttributeName = (typeof attributeNames)[number];

/** The memo's entry with an order's money. Later runs of its id are compared with it. */
export const memoryKey = 'steadfast';

/** A moment in an order's timeline, in plain words. */
export type Moment = {
  /** done: a step. asked: a person's request. trouble: something that blocked the order. */
  kind: 'done' | 'asked' | 'trouble';
  words: string;
  /** ISO 8601. */
  at: string;
  /** Trouble that came again with nothing in between: how often in all, and when last. */
  again?: { times: number; last: string };
};

/** Progress of a payout. */
export type PayoutProgress = Omit<Tally, 'amounts'> & {
  parts: number;
  /** True once all parts are there and were checked together. This run pays nothing before. */
  sealed: boolean;
  /** True if an earlier run may have paid lines. Under another id they would be paid again. */
  mayHavePaid?: true;
  /** Lines that are not final: not sent, or sent and not settled. */
  waiting: number;
  /** Sums by token, in its own units. */
  totals: Record<string, { ordered: string; paid: string }>;
  /** Lines that became final per second since the seal. */
  linesPerS?: number;
  /** Seconds left at that rate. */
  leftS?: number;
};

/** Answer of the query `progress`, and content of the details panel. */
export type Progress = {
  status: Status;
  /** Moments so far, oldest first. */
  timeline: Moment[];
  /** Reason why the order waits now, and the way out. */
  waitingFor: string;
  /** Start of the wait, ISO 8601. */
  since: string;
  /** Set while the order is paused. Nothing more is sent until it is resumed. */
  paused?: { reason: string; since: string };
  /** True once somebody has cancelled the order. */
  cancelAsked?: boolean;
  /** The write in doubt, as `resolve` expects it for its target. */
  target?: string;
  /** The transaction of that write on the chain, though the service says otherwise. */
  paidIn?: string;
  /** The controls that leave the state in which it waits. Set in the answer to a query. */
  exits?: { when: string; command: string }[];
  /** Evidence of that write's attempts and lookups, oldest first. */
  evidence?: string[];
  /** The first questions to people whose approvals are missing. */
  approvals?: readonly ApprovalWanted[];
  /** Outcomes of a payout's lines so far. */
  payout?: PayoutProgress;
};

/** A time as people write it: "2026-11-22 14:03 UTC". */
export function timeInWords(iso: string): string {
  return iso.replace(/^([\d-]{10})T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}
