import type { Taken } from '../parts';
import type { AccountType } from './arena';

/** One contender with one kind of wallet and one size of batches. */
export type BatchColumn = Course & {
  contender: string;
  /** One entry a round. */
  rounds: BatchFigures[];
  /** The reason of its failure. The other columns go on. */
  failed?: string;
};

/** The wallets that pay, and the number of lines. The size of batches is absent where each line is paid by itself. */
export type Course = {
  accountType: AccountType;
  wallets: number;
  linesMax?: number;
  lines: number;
};

/** The result of a race. Every line was paid exactly once. */
export type BatchFigures = {
  seconds: number;
  linesPerS: number;
  /** Transactions on the chain. */
  transactions: number;
  gasPerLine?: number | undefined;
  eventsPerLine?: number | undefined;
  actionsPerLine?: number | undefined;
  serverCpuMs: number;
  workerCpuMs: number;
};

export type Skipped = { contender: string; why: string };

/** All results of batches, by part. A part that was not run is absent. */
export type BatchResults = {
  stub?: Taken & { columns: BatchColumn[]; skipped: Skipped[] };
  chain?: Taken & { columns: BatchColumn[]; skipped: Skipped[] };
  gas?: Taken & { columns: BatchColumn[] };
  cap?: Taken & { feeCap: string; baseFee: number; columns: BatchColumn[] };
  large?: Taken & { rounds: Large[] };
  'EOA-killed'?: Taken & { rounds: KilledBatches[] };
  'SCA-killed'?: Taken & { rounds: KilledBatches[] };
};

/** One large payout, and the memory of its worker. Floors are those of a third of the time. */
export type Large = Course & {
  once: number;
  twice: number;
  lost: number;
  seconds: number;
  linesPerS: number;
  largestEvents: number;
  largestBytes: number;
  heapMebibytes: { middle: number; end: number };
  residentMebibytes: { middle: number; end: number };
};

/** One payout whose processes were killed on the way. The chain's logs tell the lines. */
export type KilledBatches = Course & {
  kills: Record<string, number>;
  once: number;
  twice: number;
  lost: number;
  /** Transfers that no line ordered. */
  otherwise: number;
  seconds: number;
};
