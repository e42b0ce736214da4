import { mayStray, type Rules, told } from './order';
import { older, strayed } from './service';
import {
  beforeWriterMs,
  carried,
  graceMs,
  keyLifetimeTicks,
  nowMs,
  type Scope,
  type Step,
  unknownToTemporal,
  type World,
} from './world';

/** Things that people and Temporal do to runs: start, terminate, reset, restore, forget. */
export function runSteps(world: World, rules: Rules): Step[] {
  const { scope } = rules;
  return [
    ...starts(world, rules),
    ...(world.run === 'open' && world.startsLeft > 0 ? terminations(world, scope) : []),
    ...resets(world, scope),
    ...backups(world),
    ...(isForgettable(world) ? [forgotten(world, scope)] : []),
  ];
}

/** Any client may start the id with any generation. The guard reads what Temporal knows. */
function starts(world: World, { machine, scope }: Rules): Step[] {
  const { known, startsLeft } = world;
  if (world.run === 'open' || startsLeft === 0 || known.isCompleted) return [];
  return Array.from({ length: scope.generations }, (_, generation) => generation)
    .filter((asked) => known.cancelledAt < 0 || asked > known.cancelledAt)
    .map((asked) => {
      // The original order, started again, does not forget a later attempt.
      const generation = Math.max(asked, known.generation);
      const writes = Object.fromEntries(
        known.log.flatMap((tries, at) => (tries === '' ? [] : [[`transfer/1#${at}`, tries]])),
      );
      const others = known.isLogless ? 'ambiguous' : 'clean';
      const bornAtMs = nowMs - known.age * graceMs;
      const write = carried(
        machine.firstState(
          { path: 'transfer/1', generation },
          { writes, others, bornAtMs },
          { isForgotten: false, nowMs },
        ),
      );
      const words = `The order is started with generation ${asked}: ${told({ write })}.`;
      const fresh = {
        isRestored: false,
        isDoubtful: false,
        isOfOldRun: false,
        kept: undefined,
        closedAge: 0,
      };
      const opened = { ...world, ...fresh, run: 'open' as const, write };
      const age = world.run === 'none' ? 0 : known.age;
      const after = {
        ...opened,
        known: { ...known, age, generation },
        orderGeneration: generation,
        startsLeft: startsLeft - 1,
      };
      return { words, world: after, helps: false };
    });
}

/** The run is gone without a write log. A request of it may still be under way. */
function terminations(world: World, scope: Scope): Step[] {
  const after: World = {
    ...world,
    run: 'closed',
    write: undefined,
    closedAge: 0,
    known: { ...world.known, isLogless: true },
  };
  return [
    { words: 'The run is terminated.', world: after, helps: false },
    ...overtaken(world, after, scope).map((late) => {
      const words = 'The run is terminated while its request is under way.';
      return { words, world: late, helps: false };
    }),
  ];
}

/** The same, with the attempt of the old run still under way. */
function overtaken(world: World, after: World, scope: Scope): World[] {
  const { write, isOfOldRun } = world;
  if (world.run !== 'open' || write?.stage !== 'sending' || isOfOldRun) return [];
  return mayStray(world, scope) ? [strayed(after, write.generation, 1)] : [];
}

/** Somebody resets the run to a point that it has passed. */
function resets(world: World, scope: Scope): Step[] {
  const { kept, write, resetsLeft, run, known } = world;
  if (resetsLeft === 0) return [];
  if (kept === undefined) {
    if (run !== 'open' || write === undefined) return [];
    const words = `(To this point the run will be reset: #${write.generation} ${write.stage}.)`;
    return [{ words, world: { ...world, kept: write }, helps: false }];
  }
  if (run === 'none' || kept === write) return [];
  const left = resetsLeft - 1;
  const after: World = {
    ...world,
    run: 'open',
    write: kept,
    kept: left === 0 ? undefined : kept,
    isDoubtful: true,
    isOfOldRun: kept.stage === 'sending',
    closedAge: 0,
    known: { ...known, isLogless: true },
    resetsLeft: left,
  };
  const words = `The run is reset to #${kept.generation} ${kept.stage}`;
  return [
    { words: `${words}.`, world: after, helps: false },
    ...overtaken(world, after, scope).map((late) => {
      const under = `${words}, and a request of the old one is under way.`;
      return { words: under, world: late, helps: false };
    }),
  ];
}

/**
 * Temporal's database is restored. No worker runs for a grace period, and nothing is under way. A
 * run that has ended since runs again.
 */
function backups(world: World): Step[] {
  const { run, write, backup, known, orderGeneration, isMisled, strays, restoresLeft } = world;
  if (restoresLeft === 0) return [];
  if (backup === undefined) {
    if (run !== 'open' || write === undefined || world.isDoubtful) return [];
    const words = `(Temporal's database is backed up: #${write.generation} ${write.stage}.)`;
    const now = { write, known, orderGeneration, isMisled };
    return [{ words, world: { ...world, backup: now }, helps: false }];
  }
  if (backup.write === write || strays.some((count) => count > 0)) return [];
  const { lookedUpAtMs } = backup.write;
  const before = lookedUpAtMs === undefined ? {} : { lookedUpAtMs: beforeWriterMs };
  const later = older({
    ...world,
    backup: { ...backup, write: carried({ ...backup.write, ...before }) },
  });
  const back = { run: 'open', isRestored: true, isDoubtful: false, isOfOldRun: false } as const;
  const after: World = {
    ...later,
    ...later.backup,
    ...back,
    isMisled: isMisled || backup.isMisled,
    kept: undefined,
    backup: undefined,
    closedAge: 0,
    restoresLeft: restoresLeft - 1,
  };
  return [{ words: `Temporal is restored: ${told(after)}.`, world: after, helps: false }];
}

/** Temporal keeps a closed run for longer than the service keeps its key. */
export function isForgettable({ run, closedAge }: World): boolean {
  return run === 'closed' && closedAge > keyLifetimeTicks;
}

export function forgotten(world: World, scope: Scope): Step {
  const words = 'Temporal forgets the id.';
  const after: World = {
    ...world,
    run: 'none',
    write: undefined,
    kept: undefined,
    isDoubtful: false,
    closedAge: 0,
    isMisled: false,
    known: unknownToTemporal(scope.generations + 1),
    orderGeneration: 0,
  };
  return { words, world: after, helps: false };
}
