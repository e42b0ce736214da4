import type { Lane } from './lane';

/** What an order is to bring about on the chain, exactly once. Addresses in lower case. */
export type Effect =
  | { what: 'transfer'; token: string; from?: string; to?: string; value: bigint }
  | { what: 'mint'; to: string; value: bigint }
  | { what: 'deployment'; name: string };

/** An order to be: a name that is in the id of its workflow, and a number of its own. */
export type Order = { name: string; number: number };

/** The hashes that receipts of any kind may carry, and what a payout tells besides. */
export type Hashes = {
  txHash?: string | undefined;
  supply?: { mintTxHash?: string | undefined } | undefined;
  /** Of each line, or in words why it has none. */
  lineHashes?: readonly string[] | undefined;
  /** How its receipt and its lines contradict each other, if they do. */
  contradiction?: string | undefined;
};

/** One order of a flow, with all that it needs made beforehand. */
export type Play = {
  /** Starts it; safe to be called again when it is not known what came of it. */
  start(): Promise<unknown>;
  /** The id of its workflow, where that is not its name. */
  id?: string;
  /** Workflows that must have completed besides it. */
  others?: readonly string[];
  effects: readonly Effect[];
  /** What must not show on the chain at all, whatever else does. */
  never?: readonly Effect[];
  /** It is to be cancelled: that it has ended so is as good, as long as nothing was moved. */
  isCancelled?: boolean;
  /** It fails once, and its caller submits it anew: that it has failed is not its end. */
  isResubmitted?: boolean;
  /** Reads what a completed order says, where its receipt does not tell all of it. */
  read?(receipt: unknown): Promise<Hashes>;
  /** The hashes that its receipt gives for its effects, in their order, as far as it gives any. */
  hashes(receipt: Hashes): (string | undefined)[];
  /** What else the caller does while the order is on its way. */
  act?(): Promise<void>;
  /** What an operator does when the order asks for it, such as sending funds that a kill has lost. */
  mend?(): Promise<void>;
};

/** An order that is on its way, or was. */
export type Cast = { name: string; play: Play };

/** The workflow id of an order. */
export function idOf({ name, play }: Cast): string {
  return play.id ?? name;
}

/** What happens in one order, from its start to its receipt: a line of the matrix. */
export type Flow = {
  name: string;
  /** What it is about is what a worker does first of all, so each order needs a worker of its own. */
  needsFreshWorker?: boolean;
  /** The boundaries that are swept; all of them where it does not say. */
  calls?: RegExp;
  /** How often it is run besides to find its boundaries, where its parts go on side by side. */
  moreRuns?: number;
  /** What it does as often as there is time for: of these, the first is swept. */
  untilTimeIsUp?: RegExp;
  /** Makes what this order needs. Its number makes its amounts its own. */
  prepare(lane: Lane, order: Order): Promise<Play>;
};
