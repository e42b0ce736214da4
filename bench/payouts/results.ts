import type { Way } from './contender';
import type { Figures } from './judge';

/** When, where and how a part was measured. */
export type Taken = { date: string; machine: string; command: string; settleMs?: number };

/** What a contender came to with so many open: one entry a round, or why it came to nothing. */
export type Column = {
  contender: string;
  open: number;
  way: Way;
  lines: number;
  rounds: Figures[];
  failed?: string;
};

/** Everything that was measured, by part. A part that was not run is not there. */
export type Results = {
  columns?: Taken & { columns: Column[]; skipped: { contender: string; why: string }[] };
  growth?: Taken & { sizes: { lines: number; rounds: Figures[] }[] };
  lag?: Taken & { times: { settleMs: number; rounds: Figures[] }[] };
  hosted?: Taken & { lines: number; rounds: Hosted[] };
  sca?: Taken & { wallets: number; rounds: Figures[] };
  killed?: Taken & { lines: number; rounds: Killed[] };
  single?: Taken & { times: { settleMs: number; steadfastMs: number[]; scriptMs: number[] }[] };
  startUp?: Taken & { bundlingMs: number[]; bundledMs: number[] };
};

/** At the hosted limits: what of the allowed rate was held, and what was refused for its pace. */
export type Hosted = Figures & { writesPerS: number; refusedWrites: number; refusedReads: number };

/** What one payout came to whose processes were killed on the way. */
export type Killed = {
  /** Lines by how often the service's own record has them. */
  once: number;
  twice: number;
  lost: number;
  /** Transfers that no line has ordered. */
  otherwise: number;
  /** By the process, how often. */
  kills: Record<string, number>;
  seconds: number;
  linesPerS: number;
  largestEvents: number;
  largestBytes: number;
  largestEventBytes: number;
  /** Of the worker that was spared; the floors of the middle third of the time and of the last. */
  memory: {
    peakMebibytes: number;
    finalMebibytes: number;
    heapMebibytes: { middle: number; end: number };
    residentMebibytes: { middle: number; end: number };
  };
};

export type PartName = keyof Results;
