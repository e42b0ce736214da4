import type { Figures } from '../judge';
import { type Course, type Run, startTrack, type Track } from '../race';
import { steadfast } from '../steadfast';

/** What each part is told. */
export type PartOptions = {
  rounds: number;
  /** No race has more lines than this. */
  linesMax: number;
  tell(what: string): void;
};

/** EOA wallets, which may have many transfers in flight. */
export const usualPayers = 10;
export const usualSettleMs = 1_000;

type SteadfastRun = Omit<Course, 'contender'> & { run: Omit<Run, 'way'> };

/** Steadfast alone: a stub, a server and a worker for each round. */
export async function raceSteadfast<Found = Figures>(
  { run, ...course }: SteadfastRun,
  watch: (track: Track, race: () => Promise<Figures>) => Promise<Found>,
): Promise<Found> {
  const track = await startTrack({ ...course, contender: steadfast });
  try {
    const way = { window: run.open, method: 'payout' };
    return await watch(track, () => track.race({ ...run, way }));
  } finally {
    await track.leave();
  }
}

/** The rounds of one measure, each by itself. */
export async function inRounds<Found>(
  { rounds, tell }: PartOptions,
  what: string,
  measure: () => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`${what}, round ${round} of ${rounds}`);
    found.push(await measure());
  }
  return found;
}
