import type { PayoutLine } from '../../src/orders/payout';
import { walletOfLine } from '../../src/orders/walletOfLine';
import type { Payer, Service } from './startService';

/** One run of lines: who pays them, and how many may be open at a time. */
export type Race = {
  payers: readonly Payer[];
  lines: readonly PayoutLine[];
  /** Paid before anything is measured: code that runs for the first time is slow. */
  warmUp: readonly PayoutLine[];
  open: number;
  /** One of the contender's own ways to go about it. */
  way: Way;
  /** The most that are sent in a second, where a contender can be told. */
  linesPerS?: number;
};

/** What a contender may choose: its window, which is at most what may be open, and its method. */
export type Way = { window: number; method: string };

/** What Temporal keeps of a run, and what its rules would bill for it. */
export type HistoryCost = {
  events: number;
  bytes: number;
  actions: number;
  /** The longest history of one run, in events and in bytes; it may be two of them. */
  largestEvents: number;
  largestBytes: number;
  /** The largest event, which no payload can exceed. */
  largestEventBytes: number;
};

export type Raced = {
  startedAtMs: number;
  /** When it was known, durably where there is durability, that a transaction had settled. */
  knownAtMs: Readonly<Record<string, number>>;
  cpuS: { server: number; worker: number };
  history?: HistoryCost;
};

/** A contender with everything running that it needs. */
export type Field = { race(race: Race): Promise<Raced>; leave(): Promise<void> };

/** Three times what may be open, and not so few that the start counts for much. */
export const fullRace = (open: number): number => Math.max(1_000, open * 3);

export type Contender = {
  name: string;
  /** Why it cannot run on this machine, if so. */
  absent?(): Promise<string | undefined>;
  /** What is worth trying when that many may be open; the best of them counts. */
  ways(open: number): Way[];
  /** How many lines make a race with that many open: enough to be at full pace for a while. */
  lines(open: number): number;
  enter(service: Service): Promise<Field>;
};

/** A payment as the rivals make it: one line, and the wallet that pays it. */
export type Payment = {
  key: string;
  lineId: string;
  walletAddress: string;
  to: string;
  amount: string;
};

/** The payments of lines; the same wallet pays a line whoever makes the payment. */
export function paymentsOf(lines: readonly PayoutLine[], payers: readonly Payer[]): Payment[] {
  return lines.map(({ lineId, to, amount }) => ({
    ...{ lineId, to, amount },
    key: crypto.randomUUID(),
    walletAddress: payers[walletOfLine(lineId, payers.length)]?.address ?? '',
  }));
}
