import type { Complaint } from '../judge/judge';
import type { Hunted, Played } from './hunt';

/** True if a planted bug was caught, or if nothing was found without a bug. */
export function isAsItShouldBe({ bug, played }: Hunted): boolean {
  if (bug !== undefined) return played.some(isCaught);
  return played.length > 0 && played.every(({ complaints }) => complaints.length === 0);
}

/** True if the judge found a fault in a scene that was played as planned. */
function isCaught({ complaints }: Played): boolean {
  return complaints.length > 0 && complaints.every(({ fault }) => fault !== 'unreached');
}

/** The text about one hunt: the bug, its scenes, and their findings. */
export function showHunted(hunted: Hunted): string {
  const { bug, played, seconds } = hunted;
  const name = bug?.name ?? 'nothing planted';
  if (bug === undefined && isAsItShouldBe(hunted)) {
    return `${name}: nothing found in ${played.length} scenes (${seconds} s)`;
  }
  const lines = played.flatMap(({ place, complaints }) =>
    complaints.length === 0
      ? [`  ${place}: nothing found`]
      : [`  ${place}: ${faultsOf(complaints)}`, ...complaints.map(wordsOf)],
  );
  return [`${name} (${seconds} s)`, ...lines].join('\n');
}

/** Bug by bug: where each was caught, and by what. Last, how many. */
export function showHunt(hunted: readonly Hunted[]): string {
  const planted = hunted.filter(({ bug }) => bug !== undefined);
  const caught = planted.filter(isAsItShouldBe);
  const control = hunted.filter(({ bug }) => bug === undefined);
  return [
    '| planted bug | caught by (flow · point · process) | what |',
    '|---|---|---|',
    ...[...planted, ...control].flatMap(rowsOf),
    '',
    `${caught.length} of ${planted.length} caught`,
  ].join('\n');
}

function rowsOf({ bug, played }: Hunted): string[] {
  if (bug === undefined) {
    const found = played.filter(({ complaints }) => complaints.length > 0);
    const places = found.map(({ place }) => place).join('; ') || 'nothing';
    return [`| (none, the same ${played.length} scenes) | ${places} | ${found.length} findings |`];
  }
  return played.map((one) => {
    const what = isCaught(one) ? faultsOf(one.complaints) : 'NOT CAUGHT';
    return `| ${bug.name} | ${one.place} | ${what} |`;
  });
}

function faultsOf(complaints: readonly Complaint[]): string {
  return [...new Set(complaints.map(({ fault }) => fault))].join(', ');
}

function wordsOf({ fault, evidence }: Complaint): string {
  return `    ${fault}: ${evidence}`;
}
