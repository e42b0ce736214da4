import type { Machine, Step, World } from './world';
import { isVoid, liveOf } from './world';

/** Says which promise a world breaks. Undefined if it keeps all of them. */
export function brokenPromise(world: World): string | undefined {
  const moved = world.transactions.filter((one) => one.isMoved && !one.isOther);
  if (moved.length > 1) return `The money was paid ${moved.length} times.`;
  if (liveOf(world).length > 1) return 'Two transactions of this write are live at once.';
  const unproven = world.transactions.find(({ generation }) => !isProven(world, generation));
  if (unproven !== undefined) {
    return `Attempt #${unproven.generation} was accepted before the one before it was proven void.`;
  }
  return world.isMisled ? undefined : brokenWord(world, moved.length);
}

/** A generation needs that all records of the earlier ones are void, and one of the last. */
function isProven({ transactions }: World, generation: number): boolean {
  if (generation === 0) return true;
  const earlier = transactions.filter((one) => one.generation < generation);
  return earlier.some((one) => one.generation === generation - 1) && earlier.every(isVoid);
}

/** The end of a write must say what has happened. */
function brokenWord(world: World, moved: number): string | undefined {
  const { write, isRestored } = world;
  if (write === undefined) return undefined;
  const { stage } = write;
  // A restored run does not know of attempts that were made since. Its end is of those it knows.
  if (isRestored && stage !== 'completed') return undefined;
  if (stage === 'completed' && moved !== 1) {
    return 'The write is called completed, and no payment of it was made.';
  }
  const hasNone = stage === 'failed' || stage === 'refused' || stage === 'stopped';
  if (hasNone && liveOf(world).length > 0) {
    return `The write is called ${stage}, and a transaction of it is pending or has paid.`;
  }
  return undefined;
}

/** Says which promise a step breaks. */
export function brokenByStep(before: World, { world, words }: Step, { isOver }: Machine) {
  const { write } = before;
  if (write === undefined || world.write === undefined) return undefined;
  const left = ({ startsLeft, resetsLeft, restoresLeft }: World) =>
    startsLeft + resetsLeft + restoresLeft;
  const isSame = left(world) === left(before);
  if (isSame && isOver(write) && world.write !== write && world.write.stage !== write.stage) {
    return 'An end was left.';
  }
  const isRetried = words.startsWith('Somebody says retry') && world.write.stage === 'unseen';
  if (isRetried && world.write.generation <= write.generation) {
    return 'A retry uses a key that was used before.';
  }
  return undefined;
}
