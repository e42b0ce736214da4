import type { PayoutLine } from '../../src/orders/payout';
import type { PartOptions } from '../parts';
import type { HistoryCost, Raced } from '../payouts/contender';
import { makeLines } from '../payouts/makeLines';
import type { Payer } from '../payouts/startService';
import type { Arena } from './arena';
import type { Audit } from './audit';
import type { BatchContender, BatchField } from './contender';
import type { BatchColumn, BatchFigures, Course, Skipped } from './results';

type Plan = {
  contenders: readonly BatchContender[];
  courses: readonly Course[];
  /** Starts a service for a contender's races of one round. */
  arena: () => Promise<Arena>;
};

const warmUpLines = 10;

/**
 * Measures contenders on the same courses. Every contender races once in each round, so that a slow
 * machine is slow for all. Who begins alternates.
 */
export async function measureRounds(
  { rounds, tell }: PartOptions,
  { contenders, courses, arena }: Plan,
): Promise<{ columns: BatchColumn[]; skipped: Skipped[] }> {
  const skipped: Skipped[] = [];
  const entered: { contender: BatchContender; columns: BatchColumn[] }[] = [];
  for (const contender of contenders) {
    const why = await contender.absent?.();
    const named = { contender: contender.name };
    if (why === undefined) {
      const columns = courses.map((course) => ({ ...named, ...course, rounds: [] }));
      entered.push({ contender, columns });
    } else skipped.push({ ...named, why });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { contender, columns } of round % 2 === 1 ? entered : entered.toReversed()) {
      tell(`${contender.name}, round ${round} of ${rounds}`);
      await inArena(arena, async (place) => raceAll(place, { contender, columns, tell }));
    }
  }
  return { columns: entered.flatMap(({ columns }) => columns), skipped };
}

async function inArena(start: Plan['arena'], act: (arena: Arena) => Promise<void>): Promise<void> {
  const arena = await start();
  try {
    await act(arena);
  } finally {
    await arena.leave();
  }
}

type Racing = { contender: BatchContender; columns: BatchColumn[]; tell(what: string): void };

/** Races one contender on all its courses, with wallets of their own for each kind. */
async function raceAll(arena: Arena, { contender, columns, tell }: Racing): Promise<void> {
  const payersOf = new Map<string, Payer[]>();
  const field = await contender.enter(arena);
  try {
    for (const column of columns) {
      if (column.failed !== undefined) continue;
      const { accountType, wallets } = column;
      const kind = `${wallets} ${accountType}`;
      const payers = payersOf.get(kind) ?? (await arena.payersOf(accountType, wallets));
      payersOf.set(kind, payers);
      try {
        const figures = await raceOnce({ arena, field, payers }, column);
        column.rounds.push(figures);
        tell(`${nameOf(column)}: ${toldBy(figures)}`);
      } catch (error) {
        column.failed = error instanceof Error ? error.message : String(error);
        tell(`${nameOf(column)} failed: ${column.failed}`);
      }
    }
  } finally {
    await field.leave();
  }
}

type Track = { arena: Arena; field: BatchField; payers: readonly Payer[] };

async function raceOnce(
  { arena, field, payers }: Track,
  { lines: count, linesMax }: Course,
): Promise<BatchFigures> {
  const lines = linesOf(count);
  const race = { payers, lines, linesMax, warmUp: linesOf(warmUpLines) };
  const { audit, ...raced } = await arena.audited({ lines, payers }, () => field.race(race));
  return figuresOf(count, { raced, audit });
}

/** Refuses a race that did not pay each line once. Its figures are worth nothing. */
export function figuresOf(
  count: number,
  { raced, audit }: { raced: Raced; audit: Audit },
): BatchFigures {
  const { once, twice, lost, otherwise, transactions, gasPerLine } = audit;
  if (once !== count) {
    throw new Error(`Of ${count} lines ${once} are paid once, ${twice} twice, ${lost} are lost.`);
  }
  if (otherwise > warmUpLines) throw new Error(`${otherwise} transfers were not ordered.`);
  const { knownAtMs, startedAtMs, cpuS, history } = raced;
  const seconds = (Math.max(...Object.values(knownAtMs)) - startedAtMs) / 1_000;
  return {
    seconds,
    linesPerS: count / seconds,
    transactions,
    gasPerLine,
    ...costsOf(history, count),
    serverCpuMs: (cpuS.server * 1_000) / count,
    workerCpuMs: (cpuS.worker * 1_000) / count,
  };
}

function costsOf(history: HistoryCost | undefined, count: number) {
  if (history === undefined) return {};
  return { eventsPerLine: history.events / count, actionsPerLine: history.actions / count };
}

/** Lines of so little that the faucet pays for all of them. */
export function linesOf(count: number): PayoutLine[] {
  return makeLines(count).map((line) => ({ ...line, amount: '0.0001' }));
}

export function nameOf({ accountType, wallets, linesMax, lines }: Course): string {
  const size = linesMax === undefined ? 'one by one' : `in batches of ${linesMax}`;
  const who = `${wallets} ${accountType} wallet${wallets === 1 ? '' : 's'}`;
  return `${who}, ${lines} lines ${size}`;
}

function toldBy(figures: BatchFigures): string {
  const { seconds, linesPerS, transactions } = figures;
  return `${linesPerS.toFixed(1)} lines/s, ${seconds.toFixed(1)} s, ${transactions} transactions`;
}
