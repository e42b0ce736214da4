import { type Known, numberOf, type Transaction, type World } from './world';

/** A world as text: equal texts have equal futures. */
export function textOf(world: World): string {
  const { known, write, kept, backup } = world;
  const codes = [
    ['none', 'open', 'closed'].indexOf(world.run) * 16 +
      Number(world.isRestored) * 8 +
      Number(world.isDoubtful) * 4 +
      Number(world.isOfOldRun) * 2 +
      Number(world.isMisled),
    write ? numberOf(write) : 0,
    kept ? numberOf(kept) : 0,
    world.closedAge * 8 + world.orderGeneration,
    ...codesOf(known),
    backup ? numberOf(backup.write) : 0,
    ...(backup === undefined ? [] : codesOfBackup(backup)),
    world.strays.reduce((sum, count) => sum * 4 + count, 0),
    world.keyAges.reduce((sum, age) => sum * 5 + age + 1, 0),
    (world.startsLeft * 8 + world.resetsLeft) * 8 + world.restoresLeft,
    ...world.transactions.map(codeOf),
  ];
  return String.fromCharCode(...codes);
}

function codesOfBackup({ known, orderGeneration, isMisled }: NonNullable<World['backup']>) {
  return [orderGeneration * 2 + Number(isMisled), ...codesOf(known)];
}

function codesOf(known: Known): number[] {
  const { age, cancelledAt, generation, isCompleted, isLogless, log } = known;
  return [
    (age * 8 + generation) * 32 + (cancelledAt + 1) * 4 + bits(isCompleted, isLogless),
    log.reduce((sum, tries) => sum * 3 + ['', 'clean', 'ambiguous'].indexOf(tries), 0),
  ];
}

function codeOf(one: Transaction): number {
  const word = ['PENDING', 'COMPLETE', 'FAILED', 'CANCELLED'].indexOf(one.state);
  const flags = bits(
    one.isMoved,
    one.isShown,
    one.isListed,
    one.isLost,
    one.isLate,
    one.isKeyKnown,
    one.isOther,
    one.isUnnamed === true,
    one.mayMove === true,
    one.isWrong === true,
  );
  return ((one.generation * 4 + word) * 1_024 + flags) * 4 + one.age;
}

function bits(...flags: boolean[]): number {
  return flags.reduce((sum, flag) => sum * 2 + Number(flag), 0);
}
