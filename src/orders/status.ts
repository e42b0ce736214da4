/** Where an order stands, as operators filter by it. Pure data: workflows import it. */
export const statuses = [
  'Preparing',
  'Waiting',
  'Settling',
  'Paused',
  'Unknown',
  'NeedsOperator',
  'Done',
  'Refused',
  'Failed',
  'Cancelled',
] as const;
export type Status = (typeof statuses)[number];

/** The search attributes that orders carry; all are keywords. */
export const attributeNames = [
  'SteadfastStatus',
  'SteadfastKind',
  'SteadfastWallet',
  'SteadfastToken',
  'SteadfastRef',
] as const;
export type AttributeName = (typeof attributeNames)[number];

/** The memo's entry that holds what an order moves; any later run of its id is held against it. */
export const memoryKey = 'steadfast';

/** Something that has happened to an order, in plain words. */
export type Moment = {
  /** done: a step. asked: somebody wanted something. trouble: something kept it from going on. */
  kind: 'done' | 'asked' | 'trouble';
  words: string;
  /** When, ISO 8601; absent in what a build before this one has noted. */
  at?: string;
  /** Trouble that came again, with nothing in between: how often in all, and when last. */
  again?: { times: number; last: string };
};

/** What was noted as done; builds before this one noted words alone. */
export function momentOf(noted: Moment | string): Moment {
  return typeof noted === 'string' ? { kind: 'done', words: noted } : noted;
}

/** How far a payout has come. */
export type PayoutProgress = {
  parts: number;
  /** Nothing is paid before all parts are there and have been checked together. */
  sealed: boolean;
  lines: number;
  paid: number;
  failed: number;
  unknown: number;
  skipped: number;
  /** Not final yet: not sent, or sent and not settled. */
  waiting: number;
  /** By token, in its own units. */
  totals: Record<string, { ordered: string; paid: string }>;
  /** Lines that came to an end in a second, over the last minute or so. */
  linesPerS?: number;
  /** At that rate. */
  leftS?: number;
};

/** What the query `progress` answers, and what the details panel shows. */
export type Progress = {
  status: Status;
  /** What has happened so far, oldest first. */
  timeline: Moment[];
  /** What the order waits for now, and what can be done about it. */
  waitingFor: string;
  /** Since when, ISO 8601. */
  since: string;
  /** Set while the order is paused: nothing more is sent until it is resumed. */
  paused?: { reason: string; since: string };
  /** The write that is in doubt, while one is: what `resolve` takes as its target. */
  target?: string;
  /** What is known of that write's tries, and of the looks for it, oldest first. */
  evidence?: string[];
  /** Of a payout: what its lines have come to so far. */
  payout?: PayoutProgress;
};
