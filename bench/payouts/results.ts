import type { Taken } from '../parts';
import type { Way } from './contender';
import type { Figures } from './judge';

/** The results of a contender at one level: one entry a round, or the reason of its failure. */
export type Column = {
  contender: string;
  open: number;
  way: Way;
  lines: number;
  rounds: Figures[];
  failed?: string;
};

/** All results, by part. A part that was not run is absent. */
export type Results = {
  columns?: Taken & { columns: Column[]; skipped: { contender: string; why: string }[] };
  growth?: Taken & { sizes: { lines: number; rounds: Figures[] }[] };
  lag?: Taken & { times: { settleMs: number; rounds: Figures[] }[] };
  hosted?: Taken & { lines: number; rounds: Hosted[] };
  sca?: Taken & { wallets: number; rounds: Figures[] };
  policy?: Taken & { courses: Limited[] };
  killed?: Taken & { lines: number; rounds: Killed[] };
  single?: Taken & { times: { settleMs: number; steadfastMs: number[]; scriptMs: number[] }[] };
  startUp?: Taken & { bundlingMs: number[]; bundledMs: number[] };
};

/** At the hosted limits: the rate of writes, and the calls that the limits refused. */
export type Hosted = Figures & { writesPerS: number; refusedWrites: number; refusedReads: number };

/** Races without a policy and with one, in the same rounds. */
export type Limited = {
  limit: 'hosted' | 'off';
  lines: number;
  plain: Figures[];
  limited: Figures[];
};

/** The result of one payout whose processes were killed on the way. */
export type Killed = {
  /** Numbers of lines: once, more than once, or not at all in the service's record. */
  once: number;
  twice: number;
  lost: number;
  /** The number of transfers that no line ordered. */
  otherwise: number;
  /** The number of kills, by process. */
  kills: Record<string, number>;
  seconds: number;
  linesPerS: number;
  largestEvents: number;
  largestBytes: number;
  largestEventBytes: number;
  /** The memory of the spared worker. `middle` and `end` are floors of a third of the time. */
  memory: {
    peakMebibytes: number;
    finalMebibytes: number;
    heapMebibytes: { middle: number; end: number };
    residentMebibytes: { middle: number; end: number };
  };
};
