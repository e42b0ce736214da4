import type { PayoutLine } from '../../src/orders/payout';
import type { HistoryCost, Race, Raced } from './contender';
import type { TransferFacts } from './service/server';
import type { Service } from './startService';

/** The result of a race. */
export type Figures = {
  linesPerS: number;
  /** From the call of the service until the contender knew that the transfer settled. */
  submitToKnownMs: { p50: number; p99: number };
  /** From the settling until the contender knew of it. */
  lagMs: { p50: number; p99: number };
  serverCpuMs: number;
  workerCpuMs: number;
  eventsPerLine?: number;
  bytesPerLine?: number;
  actionsPerLine?: number;
  largestEvents?: number;
};

/**
 * Compares a race with the service's record: every line once, and never known as settled too soon.
 * Throws if they differ, since the figures of a wrong payout are worth nothing.
 */
export async function judge(
  service: Pick<Service, 'transfers'>,
  race: Pick<Race, 'lines'>,
  raced: Raced,
): Promise<Figures> {
  const { transfers, once, twice } = accountOf(race.lines, await service.transfers());
  if (once !== race.lines.length) {
    throw new Error(
      `Of ${race.lines.length} lines ${once + twice} were paid, in ${transfers.length} transfers.`,
    );
  }
  const times = transfers.map(({ id, receivedAtMs, settlesAtMs }) => {
    const knownAtMs = raced.knownAtMs[id];
    if (knownAtMs === undefined || knownAtMs < settlesAtMs) {
      throw new Error(
        `Transaction ${id} settled at ${settlesAtMs}, and was known at ${knownAtMs}.`,
      );
    }
    return { knownAtMs, wholeMs: knownAtMs - receivedAtMs, lagMs: knownAtMs - settlesAtMs };
  });
  const endedAtMs = Math.max(...times.map(({ knownAtMs }) => knownAtMs));
  const count = race.lines.length;
  return {
    linesPerS: (count * 1_000) / (endedAtMs - raced.startedAtMs),
    submitToKnownMs: quantiles(times.map(({ wholeMs }) => wholeMs)),
    lagMs: quantiles(times.map(({ lagMs }) => lagMs)),
    serverCpuMs: (raced.cpuS.server * 1_000) / count,
    workerCpuMs: (raced.cpuS.worker * 1_000) / count,
    ...(raced.history === undefined ? {} : byLine(raced.history, count)),
  };
}

/** The number of lines that the service's record has once, more than once, and not at all. */
export type Account = { transfers: TransferFacts[]; once: number; twice: number; lost: number };

/** Compares lines with the record by recipient. No two lines have the same recipient. */
export function accountOf(lines: readonly PayoutLine[], record: readonly TransferFacts[]): Account {
  const times = new Map(lines.map(({ to }) => [to.toLowerCase(), 0]));
  const transfers = record.filter(({ to }) => times.has(to.toLowerCase()));
  for (const { to } of transfers) {
    times.set(to.toLowerCase(), (times.get(to.toLowerCase()) ?? 0) + 1);
  }
  const counts = [...times.values()];
  return {
    transfers,
    once: counts.filter((count) => count === 1).length,
    twice: counts.filter((count) => count > 1).length,
    lost: counts.filter((count) => count === 0).length,
  };
}

function byLine({ events, bytes, actions, largestEvents }: HistoryCost, count: number) {
  return {
    eventsPerLine: events / count,
    bytesPerLine: bytes / count,
    actionsPerLine: actions / count,
    largestEvents,
  };
}

function quantiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
