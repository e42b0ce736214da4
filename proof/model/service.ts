import type { StepOf } from './explore';
import {
  aged,
  type Known,
  keyLifetimeTicks,
  oldTicks,
  type Scope,
  type Transaction,
  type World,
} from './world';

/** Things that happen at the service, in the network and on the chain without anybody's doing. */
export function serviceSteps<W extends World>(
  world: W,
  scope: Scope,
  later: (world: W) => W,
): StepOf<W>[] {
  const steps: StepOf<W>[] = [
    { words: 'A grace period passes.', world: later(world), helps: true },
  ];
  const step = (words: string, after: W) => steps.push({ words, world: after, helps: true });
  for (const [index, one] of world.transactions.entries()) {
    const name = `transaction ${index + 1}`;
    if (one.state === 'PENDING') {
      for (const [words, end] of endings(scope)) {
        step(`${words} ${name}.`, withTransaction(world, index, end));
      }
    }
    if (one.mayMove === true) {
      const included = { isMoved: true, mayMove: false };
      step(`The chain includes ${name} after all.`, withTransaction(world, index, included));
    }
    if (scope.lies && isWrongWord(one)) {
      const state = one.isMoved ? ('COMPLETE' as const) : ('FAILED' as const);
      const corrected = { state, isUnnamed: false };
      step(`The service corrects ${name}.`, withTransaction(world, index, corrected));
    }
    if (scope.loses && index === 0 && !one.isLost) {
      const gone = { isLost: true, isListed: false, isLate: false };
      const after = withTransaction(world, index, gone);
      steps.push({ words: `The service loses ${name}.`, world: after, helps: false });
    }
    if (one.isLost) {
      const after = withTransaction(world, index, { isLost: false, isListed: true });
      steps.push({ words: `The service has ${name} again.`, world: after, helps: false });
    }
    if (!one.isListed && !one.isLost) {
      const listed = { isListed: true, isLate: false };
      step(`The list shows ${name}.`, withTransaction(world, index, listed));
    }
    if (one.isKeyKnown && one.age > keyLifetimeTicks) {
      const forgotten = withTransaction(world, index, { isKeyKnown: false, age: 0 });
      step(`The service forgets the key of ${name}.`, forgotten);
    }
  }
  for (const [generation, count] of world.strays.entries()) {
    if (count === 0) continue;
    const { world: after } = deliver(strayed(world, generation, -1), generation, true);
    step(`A late copy of the request of attempt #${generation} arrives.`, after);
  }
  return steps;
}

type Ending = readonly [words: string, end: Partial<Transaction>];

function endings({ lies, errs }: Scope): readonly Ending[] {
  if (errs) return [...honest, ...wrong];
  return lies ? [...honest, ...lying, ...lyingUnnamed] : honest;
}

/** True for a word that the chain contradicts. */
function isWrongWord({ state, isMoved, mayMove }: Transaction): boolean {
  return state !== 'PENDING' && mayMove !== true && isMoved !== (state === 'COMPLETE');
}

const honest: readonly Ending[] = [
  ['The service completes', { state: 'COMPLETE', isMoved: true }],
  ['The service fails, without effect,', { state: 'FAILED' }],
  ['The service cancels, without effect,', { state: 'CANCELLED' }],
];
const lying: readonly Ending[] = [
  ['It moves money, but the service calls FAILED', { state: 'FAILED', isMoved: true }],
  ['It moves money, but the service calls CANCELLED', { state: 'CANCELLED', isMoved: true }],
  ['It moves nothing, but the service calls COMPLETE', { state: 'COMPLETE' }],
];

const unnamed = { isUnnamed: true };
const lyingUnnamed: readonly Ending[] = [
  [
    'It moves money, but the service calls FAILED, without a hash,',
    { state: 'FAILED', isMoved: true, ...unnamed },
  ],
  [
    'It moves money, but the service calls CANCELLED, without a hash,',
    { state: 'CANCELLED', isMoved: true, ...unnamed },
  ],
  [
    'The service calls FAILED, without a hash, too early',
    { state: 'FAILED', mayMove: true, ...unnamed },
  ],
];
const wrong: readonly Ending[] = [
  [
    'It moves money, and the service calls FAILED for a while',
    { state: 'FAILED', isMoved: true, isWrong: true },
  ],
  [
    'The service calls CANCELLED for a while, before it moves money,',
    { state: 'CANCELLED', mayMove: true, isWrong: true },
  ],
];

function withTransaction<W extends World>(
  world: W,
  index: number,
  change: Partial<Transaction>,
): W {
  const transactions = world.transactions.map((one, at) =>
    at === index ? { ...one, ...change } : one,
  );
  return { ...world, transactions };
}

/**
 * A request arrives. The service replays the transaction of a key that it remembers. Returns the
 * number of the transaction.
 */
export function deliver<W extends World>(
  world: W,
  generation: number,
  isLate = false,
): { world: W; index: number } {
  const { transactions } = world;
  const known = transactions.findIndex((one) => one.generation === generation && one.isKeyKnown);
  if (known >= 0) return { world: sent(world, generation), index: known };
  const accepted: Transaction = {
    generation,
    state: 'PENDING',
    isMoved: false,
    isShown: false,
    isListed: false,
    isLost: false,
    isLate,
    isKeyKnown: true,
    age: 0,
    isOther: false,
  };
  const after = { ...world, transactions: [...transactions, accepted] };
  return { world: sent(after, generation), index: transactions.length };
}

/** An attempt was sent, and one more copy of it, or one less, is under way. */
export function strayed<W extends World>(world: W, generation: number, change: 1 | -1): W {
  const strays = world.strays.map((count, at) => count + (at === generation ? change : 0));
  return sent({ ...world, strays }, generation);
}

/** A key's age begins with its first attempt that may arrive. */
function sent<W extends World>(world: W, generation: number): W {
  const hasRecord = (at: number) => world.transactions.some((one) => one.generation === at);
  // A replay changes nothing, so a copy of a request whose transaction exists is left out.
  const isNeedless = (at: number) => hasRecord(at) || (world.keyAges[at] ?? 0) >= oldTicks;
  return {
    ...world,
    strays: world.strays.map((count, at) => (isNeedless(at) ? 0 : count)),
    keyAges: world.keyAges.map((age, at) => {
      if (hasRecord(at)) return oldTicks;
      return age < 0 && at === generation ? 0 : age;
    }),
  };
}

/**
 * One grace period later. The list then shows what was accepted, and the chain what it has. No copy
 * of a request arrives later than one key lifetime after the first attempt.
 */
export function older<W extends World>(world: W): W {
  const keyAges = world.keyAges.map((age) => (age < 0 ? age : Math.min(age + 1, oldTicks)));
  const { known, write, kept, backup, closedAge } = world;
  return {
    ...world,
    write: write && aged(write),
    kept: kept && aged(kept),
    backup: backup && { ...backup, write: aged(backup.write), known: agedMemory(backup.known) },
    closedAge: world.run === 'closed' ? Math.min(closedAge + 1, oldTicks) : 0,
    known: agedMemory(known),
    keyAges,
    strays: world.strays.map((count, at) => ((keyAges[at] ?? 0) > keyLifetimeTicks ? 0 : count)),
    transactions: world.transactions.map((one) => ({
      ...one,
      ...settledWord(one),
      isListed: !one.isLost,
      isLate: false,
      isShown: one.isMoved,
      mayMove: false,
      age: one.isKeyKnown ? Math.min(one.age + 1, oldTicks) : 0,
    })),
  };
}

/** A service that errs has corrected itself by then. */
function settledWord({
  state,
  isMoved,
  isWrong,
}: Transaction): Pick<Transaction, 'state' | 'isWrong'> {
  if (isWrong !== true) return { state };
  return { state: isMoved ? 'COMPLETE' : state, isWrong: false };
}

function agedMemory(known: Known): Known {
  return { ...known, age: Math.min(known.age + 1, oldTicks) };
}
