import type { StackPart } from '../../local/startPart';
import type { StackParts } from '../../local/startStack';
import { pc } from '../show/colors';
import { everyPart, partEnd } from './watchStack';

/** A part that ends so often within this time does not come up by being started again. */
const endsMax = 3;
const withinMs = 60_000;

type Keeping = {
  say: (line: string) => void;
  logFolder: string;
  /** True while the stack is stopped: what ends then was ended. */
  isStopping: () => boolean;
};

/**
 * Starts each process of the stack again when it ends by itself, as a supervisor does, and says so.
 * Rejects when one ends again and again, with its last lines.
 */
export function keepUp(parts: StackParts, keeping: Keeping): Promise<never> {
  return Promise.race(everyPart.map((part) => keepPart(parts, part, keeping)));
}

/** Nobody waits for the parts of a stack that is stopped. */
const untilStopped = new Promise<never>(() => {});

async function keepPart(
  parts: StackParts,
  part: StackPart,
  { say, logFolder, isStopping }: Keeping,
): Promise<never> {
  let endsAtMs: number[] = [];
  for (;;) {
    const { name, how, last } = await partEnd(parts, part);
    if (isStopping()) return untilStopped;
    const log = `Its log is ${logFolder}/${part}.log.`;
    endsAtMs = [...endsAtMs.filter((atMs) => atMs > Date.now() - withinMs), Date.now()];
    if (endsAtMs.length >= endsMax) {
      throw new Error(`${name} ${how}, ${endsMax} times within a minute. ${log}${last}`);
    }
    say(`${pc.yellow('!')} ${name} ${how}. It is started again. ${log}`);
    await parts.startAgain(part);
    say(`${pc.green('✓')} ${name} is up again.`);
  }
}
