import type { PartOptions } from '../../parts';
import type { Figures } from '../judge';
import { type Course, type Run, startTrack, type Track } from '../race';
import { steadfast } from '../steadfast';

/** The number of paying wallets. They are EOA, which can have many transfers in flight. */
export const usualPayers = 10;
export const usualSettleMs = 1_000;

type OneRun = Course & { run: Omit<Run, 'way'> };
type Watch<Found> = (track: Track, race: () => Promise<Figures>) => Promise<Found>;

/** Races Steadfast alone, with a new stub, server and worker. */
export function raceSteadfast<Found = Figures>(
  run: Omit<OneRun, 'contender'>,
  watch: Watch<Found>,
): Promise<Found> {
  return raceOf({ ...run, contender: steadfast }, watch);
}

/** The same, with a policy or without. */
export async function raceOf<Found>(
  { run, ...course }: OneRun,
  watch: Watch<Found>,
): Promise<Found> {
  const track = await startTrack(course);
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
