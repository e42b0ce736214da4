import type { PartOptions } from '../../parts';
import { limited } from '../limited';
import type { Results } from '../results';
import { steadfast } from '../steadfast';
import { usualPayers as payers, raceOf, usualSettleMs } from './options';

type Part = Required<Results>['policy'];

/** The races: at the pace of the hosted service, and as fast as the machine goes. */
const courses = [
  { limit: 'hosted', settleMs: 2_000, run: { lines: 300, open: 1_000, warmUp: 10 } },
  { limit: 'off', settleMs: usualSettleMs, run: { lines: 3_000, open: 1_000 } },
] as const;

/**
 * Measures what a policy costs. In each round both race, one right after the other, so that a slow
 * machine is slow for both. Who begins alternates.
 */
export async function measurePolicy(options: PartOptions): Promise<Pick<Part, 'courses'>> {
  const { rounds, linesMax, tell } = options;
  const measured: Part['courses'] = [];
  for (const { limit, settleMs, run } of courses) {
    const lines = Math.min(run.lines, linesMax);
    const course = { rules: { limit, settleMs }, payers, run: { ...run, lines } };
    const both = { plain: { contender: steadfast }, limited: { contender: limited } };
    const found: Part['courses'][number] = { limit, lines, plain: [], limited: [] };
    for (let round = 1; round <= rounds; round += 1) {
      const order =
        round % 2 === 1 ? (['plain', 'limited'] as const) : (['limited', 'plain'] as const);
      for (const who of order) {
        const { contender } = both[who];
        tell(`limits ${limit}, ${contender.name}, round ${round} of ${rounds}`);
        found[who].push(await raceOf({ ...course, contender }, (_, race) => race()));
      }
    }
    measured.push(found);
  }
  return { courses: measured };
}
