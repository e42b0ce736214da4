import type { PayoutLine } from '../../src/orders/payout';
import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import type { Payer, Service } from './startService';

/** One race: its lines, their payers, and how many lines may be open at a time. */
export type Race = {
  payers: readonly Payer[];
  lines: readonly PayoutLine[];
  /** Lines that are paid before the measurement, since code is slow the first time. */
  warmUp: readonly PayoutLine[];
  open: number;
  /** The contender's choices. */
  way: Way;
  /** The maximum of calls per second, for a contender that has such a setting. */
  linesPerS?: number;
};

/** The choices of a contender: its window, at most as large as `open`, and its method. */
export type Way = { window: number; method: string };

/** The size of a run's history, and the actions that Temporal bills for it. */
export type HistoryCost = {
  events: number;
  bytes: number;
  actions: number;
  /** The longest history in events, and the largest in bytes. They may belong to two runs. */
  largestEvents: number;
  largestBytes: number;
  /** The largest event, which no payload can exceed. */
  largestEventBytes: number;
};

export type Raced = {
  startedAtMs: number;
  /** By transaction: the time at which the contender knew that it settled, durably if it can. */
  knownAtMs: Readonly<Record<string, number>>;
  cpuS: { server: number; worker: number };
  history?: HistoryCost;
};

/** A contender whose processes all run. */
export type Field = { race(race: Race): Promise<Raced>; leave(): Promise<void> };

/** Ten times `open`, so that the start counts for little, and no more lines than a usual payout. */
export const fullRace = (open: number): number => Math.min(10_000, open * 10);

export type Contender = {
  name: string;
  /** The reason why it cannot run on this machine, if there is one. */
  absent?(): Promise<string | undefined>;
  /** The ways to try when that many transfers may be open. The best one counts. */
  ways(open: number): Way[];
  /** The number of lines of a race: enough to run at full pace for a while. */
  lines(open: number): number;
  enter(service: Service, payers: readonly Payer[]): Promise<Field>;
};

/** A payment as the rivals make it: one line, and the wallet that pays it. */
export type Payment = {
  key: string;
  lineId: string;
  walletAddress: string;
  to: string;
  amount: string;
};

/** The payments of lines. A line has the same wallet for every contender. */
export function paymentsOf(lines: readonly PayoutLine[], payers: readonly Payer[]): Payment[] {
  return lines.map(({ lineId, to, amount }) => ({
    lineId,
    to,
    amount,
    key: crypto.randomUUID(),
    walletAddress: payers[walletOfLine(lineId, payers.length)]?.address ?? '',
  }));
}
