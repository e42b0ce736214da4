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

/** What the query `progress` answers, and what the details panel shows. */
export type Progress = {
  status: Status;
  /** What is done, in plain words, oldest first. */
  done: string[];
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
};
