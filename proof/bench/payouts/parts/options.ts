import type { Figures } from '../judge';
import { type Course, type Run, startTrack, type Track } from '../race';
import { steadfast } from '../steadfast';

export type PartOptions = {
  rounds: number;
  /** The maximum number of lines of a race. */
  linesMax: number;
  tell(what: string): void;
};

/** The number of paying wallets. They are EOA, which can have many transfers in flight. */
export const usualPayers = 10;
export const usualSettleMs = 1_000;

type SteadfastRun = Omit<Course, 'contender'> & { run: Omit<Run, 'way'> };

/** Races Steadfast alone, with a new stub, server and worker. */
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
