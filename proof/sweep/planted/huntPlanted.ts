import { bugs } from './bugs';
import { type Hunted, hunt } from './hunt';
import { isAsItShouldBe, showHunt, showHunted } from './show';

/** Stacks side by side. Each one mostly waits, for a worker or for a hidden record. */
const lanes = 2;

/**
 * Tests the sweep itself with the bugs whose names contain the words, or with all of them. Prints
 * where each was caught. True if all were caught, and nothing was found without a bug.
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
