import type { PartOptions } from '../../parts';
import type { Contender, Way } from '../contender';
import { startTrack, type Track } from '../race';
import type { Column, Results } from '../results';
import { dbos } from '../rivals/dbos';
import { oneEach } from '../rivals/oneEach';
import { script } from '../rivals/script';
import { steadfast } from '../steadfast';
import { usualPayers, usualSettleMs } from './options';

const contenders: readonly Contender[] = [script, dbos, oneEach, steadfast];
const levels = [200, 1_000, 2_000];
/** Enough to tell ways apart. */
const tryLines = 400;

type Part = Required<Results>['columns'];

/**
 * Measures the pace of each contender at each number of open transfers. First it finds the best way
 * of each contender. Then every contender races once in each round, so that a slow machine is slow
 * for all.
 */
export async function measureColumns(
  options: PartOptions,
): Promise<Pick<Part, 'columns' | 'skipped'>> {
  const { rounds, tell } = options;
  const skipped: Part['skipped'] = [];
  const columns = new Map<Contender, Column[]>();
  for (const contender of contenders) {
    const why = await contender.absent?.();
    if (why === undefined) {
      tell(`${contender.name}: looking for its best way`);
      columns.set(contender, await findWays(contender, options));
    } else {
      tell(`${contender.name} is skipped: ${why}`);
      skipped.push({ contender: contender.name, why });
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [contender, own] of columns) {
      tell(`${contender.name}, round ${round} of ${rounds}`);
      await onTrack(contender, (track) => raceLevels(track, own));
    }
  }
  return { columns: [...columns.values()].flat(), skipped };
}

async function raceLevels(track: Track, columns: readonly Column[]): Promise<void> {
  for (const column of columns) {
    if (column.failed !== undefined) continue;
    const { lines, open, way } = column;
    try {
      column.rounds.push(await track.race({ lines, open, way }));
    } catch (error) {
      // Its column shows the failure, and the other contenders go on.
      column.failed = messageOf(error);
    }
  }
}

/** Finds for each level the way in which a short race is quickest. Tries each way only once. */
async function findWays(contender: Contender, { linesMax, tell }: PartOptions): Promise<Column[]> {
  const name = contender.name;
  const tried = new Map<string, number>();
  const pace = async (track: Track, open: number, way: Way): Promise<number> => {
    const key = JSON.stringify(way);
    const known = tried.get(key);
    if (known !== undefined) return known;
    const lines = Math.min(linesMax, Math.max(tryLines, way.window));
    const told = `${name}, a window of ${way.window} (${way.method})`;
    const linesPerS = await track.race({ lines, open, way }).then(
      (figures) => figures.linesPerS,
      (error: unknown) => {
        // A way that fails is not the best one.
        tell(`${told} failed: ${messageOf(error)}`);
        return 0;
      },
    );
    tell(`${told}: ${linesPerS.toFixed(0)}/s`);
    tried.set(key, linesPerS);
    return linesPerS;
  };
  return onTrack(contender, async (track) => {
    const columns: Column[] = [];
    for (const open of levels) {
      let best: { way: Way; perS: number } | undefined;
      const ways = contender.ways(open);
      for (const way of ways) {
        const perS = ways.length === 1 ? 0 : await pace(track, open, way);
        if (best === undefined || perS > best.perS) best = { way, perS };
      }
      if (best === undefined) continue;
      const lines = Math.min(linesMax, contender.lines(open));
      columns.push({ contender: name, open, way: best.way, lines, rounds: [] });
    }
    return columns;
  });
}

async function onTrack<Found>(
  contender: Contender,
  act: (track: Track) => Promise<Found>,
): Promise<Found> {
  const rules = { settleMs: usualSettleMs };
  const track = await startTrack({ contender, rules, payers: usualPayers });
  try {
    return await act(track);
  } finally {
    await track.leave();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
