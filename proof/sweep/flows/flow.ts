import type { Boundary } from '../boundary';
import type { Lane } from '../lane';

/** An effect that an order must have on the chain exactly once. Addresses are in lower case. */
export type Effect =
  | { what: 'transfer'; token: string; from?: string; to?: string; value: bigint }
  | { what: 'mint'; to: string; value: bigint }
  | { what: 'deployment'; name: string };

/** The most base units of USDC that may leave some wallets, up to a block or for ever. */
export type Bound = { from: readonly string[]; max: bigint; toBlock?: bigint };

/** The name of an order, which is in its workflow's id, and its unique number. */
export type Order = { name: string; number: number };

/** The hashes that a receipt of any kind can have, and two fields that only a payout has. */
export type Hashes = {
  txHash?: string | undefined;
  supply?: { mintTxHash?: string | undefined } | undefined;
  /** One entry a line: its hash, or words that say why it has none. */
  lineHashes?: readonly string[] | undefined;
  /** The contradiction between a payout's receipt and its lines, if there is one. */
  contradiction?: string | undefined;
};

/** One order of a flow, with its wallets and contracts ready. */
export type Play = {
  /** Starts the order. Safe to call again when the outcome is unknown. */
  start(): Promise<unknown>;
  /** The id of its workflow, if it is not the order's name. */
  id?: string;
  /** Other workflows that must complete, too. */
  others?: readonly string[];
  /** Starts the order again after it has ended. As the first time, unless it says otherwise. */
  startAgain?(): Promise<unknown>;
  effects: readonly Effect[];
  /** The number of the service's records of it. By default, each effect has one record. */
  recordCount?: number;
  /** Effects that must never be on the chain. */
  never?: readonly Effect[];
  /** Sums that a policy keeps wallets to. */
  bounds?: readonly Bound[];
  /** The order must fail, and say so in such words. */
  failsWith?: RegExp;
  /** The order is cancelled. To end as cancelled is as good, if nothing was moved. */
  isCancelled?: boolean;
  /** The order fails once, and its caller resubmits it. The failure is not its end. */
  isResubmitted?: boolean;
  /** Reads the hashes of a completed order, if its receipt does not have all of them. */
  read?(receipt: unknown): Promise<Hashes>;
  /** The hashes that the receipt has for the effects, in the same order. */
  hashes(receipt: Hashes): (string | undefined)[];
  /** Acts as the caller while the order is on its way. */
  act?(): Promise<void>;
  /** Words about a workflow that was started twice, and must be started once. */
  twice?(): Promise<string | undefined>;
  /** True while its caller still has to start it again, so that an end is not the last one. */
  isUnfinished?(): boolean;
  /** Acts as the operator, such as to send funds that a kill has lost. */
  mend?(): Promise<void>;
};

/** An order that was started. */
export type Cast = { name: string; play: Play };

/** The workflow id of an order. */
export function idOf({ name, play }: Cast): string {
  return play.id ?? name;
}

/** One order from its start to its receipt: a row of the matrix. */
export type Flow = {
  name: string;
  /** The flow is about a worker's first work, so each order needs a worker of its own. */
  needsFreshWorker?: boolean;
  /** Its events concern every order of its stack, so it has the stack for itself. */
  isAlone?: boolean;
  /** A receiver runs beside it, and the service tells of its transactions. */
  isTold?: boolean;
  /** The names of the boundaries to sweep. All of them by default. */
  swept?: RegExp;
  /** The boundaries to sweep, if they are not found by running it. */
  boundaries?: readonly Boundary[];
  /** The largest number of boundaries to sweep, chosen by the seed. */
  sweptMax?: number;
  /** The number of further runs that find boundaries, for a flow whose parts run side by side. */
  moreRuns?: number;
  /** Calls that are repeated while there is time. Only the first of them is swept. */
  untilTimeIsUp?: RegExp;
  /** Makes wallets and contracts for an order. The order's number makes its amounts unique. */
  prepare(lane: Lane, order: Order): Promise<Play>;
};

/** True for a flow whose orders share their stack with no other order. */
export function isAlone({ needsFreshWorker = false, isAlone = false }: Partial<Flow>): boolean {
  return needsFreshWorker || isAlone;
}

/** Read by a worker before its first write, whichever order that is, and then kept. */
export const publicKey = /^service getPublicKey /;
