import { bugs } from './bugs';
import { type Hunted, hunt } from './hunt';
import { isAsItShouldBe, showHunt, showHunted } from './show';

/** Stacks side by side: each is mostly waiting, for a worker that is gone or a record that hides. */
const lanes = 2;

/**
 * Holds the sweep itself against bugs whose names contain the given words, or all of them: prints
 * where each was caught. Returns whether all were, and nothing was found where none is planted.
 */
export async function huntPlanted(root: string, words: string): Promise<boolean> {
  const wanted = bugs.filter(({ name }) => name.includes(words));
  if (wanted.length === 0) {
    const names = bugs.map(({ name }) => name).join('; ');
    throw new Error(`--planted: is "${words}", and no bug has such a name. There are: ${names}.`);
  }
  const startedAtMs = Date.now();
  const all: Hunted[] = [];
  const onHunted = (hunted: Hunted): void => {
    all.push(hunted);
    console.error(showHunted(hunted));
  };
  await hunt({ root, bugs: wanted, lanes, onHunted });
  const place = ({ bug }: Hunted): number => (bug === undefined ? -1 : bugs.indexOf(bug));
  all.sort((one, other) => place(one) - place(other));
  console.log(showHunt(all));
  console.log(`In ${Math.round((Date.now() - startedAtMs) / 1_000)} s.`);
  return all.every(isAsItShouldBe);
}
