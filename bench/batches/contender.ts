import type { PayoutLine } from '../../src/orders/payout';
import type { Raced } from '../payouts/contender';
import type { Payer, Place } from '../payouts/startService';

/** One race in batches. */
export type BatchRace = {
  payers: readonly Payer[];
  lines: readonly PayoutLine[];
  /** Lines that are paid before the measurement, since code is slow the first time. */
  warmUp: readonly PayoutLine[];
  linesMax: Batching;
};

/** The most lines of a batch. Undefined: each line by itself. */
export type Batching = number | undefined;

/** Pays lines in batches, and knows from the chain's logs which lines were paid. */
export type BatchContender = {
  name: string;
  /** The reason why it cannot run on this machine, if there is one. */
  absent?(): Promise<string | undefined>;
  /** Starts its processes in front of a service. */
  enter(place: Place): Promise<BatchField>;
};

/** A contender whose processes all run. */
export type BatchField = { race(race: BatchRace): Promise<Raced>; leave(): Promise<void> };
