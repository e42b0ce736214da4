import type { OpenedShard } from '../../../activities/payout/openShard';
import { graceMs, nowMs } from '../world';
import { askedBy } from './answers';
import type { Part, Parts } from './part';
import { requestOf } from './records';
import { type BatchStep, type BatchWorld, spent, underWay } from './world';

/** Things that people and Temporal do to runs: start, terminate, reset, restore, forget. */
export function runSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  return [
    ...starts(world, parts),
    ...terminations(world, parts),
    ...resets(world, parts),
    ...backups(world, parts),
    ...months(world),
  ];
}

function step(words: string, world: BatchWorld): BatchStep {
  return { words, world, helps: false };
}

/** A run that ended with open lines is started again, as is one that everybody has forgotten. */
function starts(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, starts: before } = world;
  const size = parts.scope.sizes[before];
  // The result of a part that is done is returned.
  if (size === undefined || run === 'open' || world.isDone) return [];
  const batches = size === false ? 'line by line' : `in batches of ${size}`;
  const part = parts.opened(size, knownOf(world));
  const begun = { run: 'open', isDone: false, isTold: true, kept: undefined, part } as const;
  return [step(`The part is started, ${batches}.`, { ...world, ...begun, starts: before + 1 })];
}

/** The answer of Temporal to the guard of a new run. */
export function knownOf({ part, run, isTold, isLongOver }: BatchWorld): OpenedShard {
  if (run === 'none' || part === undefined) return { before: [], bornAtMs: nowMs, others: 'clean' };
  const endedAtMs = isLongOver ? nowMs - graceMs : nowMs;
  const before = isTold ? [...part.results] : [];
  return { before, bornAtMs: nowMs, endedAtMs, others: 'ambiguous' };
}

/** The run is gone. Its request may still be under way, and its lines may be unreadable. */
function terminations(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, starts: before } = world;
  if (run !== 'open' || part === undefined || before >= parts.scope.sizes.length) return [];
  const words = 'The part is terminated';
  return [world, ...overtaken(world, part, parts)].flatMap((left) =>
    (parts.scope.silent ? [true, false] : [true]).map((isTold): BatchStep => {
      const how = left !== world ? ' while its request is under way' : '';
      const told = isTold ? '' : ', and nobody can read its lines';
      const ended = { run: 'closed', isTold, isLongOver: false, kept: undefined } as const;
      return step(`${words}${how}${told}.`, { ...left, ...ended });
    }),
  );
}

/** The world with a request under way that the run has begun to send. */
function overtaken(world: BatchWorld, part: Part, { scope }: Parts): BatchWorld[] {
  const sent = part.calls.filter(({ name, isOld }) => /^(execute|create)/.test(name) && !isOld);
  return sent.flatMap(askedBy).flatMap((one) => underWay(world, requestOf(one), scope));
}

/** Somebody resets the run to a point that it has passed. A retry is asked for again then. */
function resets(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, kept, left } = world;
  if (left.resets === 0 || run !== 'open' || part === undefined) return [];
  if (kept === undefined) {
    return [step('(To this point the part will be reset.)', { ...world, kept: part })];
  }
  if (kept === part) return [];
  const after = { ...spent(world, 'resets'), part: parts.places.reset(kept), kept: undefined };
  const late = overtaken(after, part, parts);
  return [
    step('The part is reset.', after),
    ...late.map((left) => step('The part is reset while its request is under way.', left)),
  ];
}

/**
 * Temporal's database is restored. The backup has a run that has just begun. No worker runs for a
 * grace period, so that what was under way is listed, or was lost. A run that has ended since runs
 * again.
 */
function backups(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, backup, left, strays, records } = world;
  if (left.restores === 0 || part === undefined) return [];
  if (backup === undefined) {
    const isFresh = run === 'open' && part.script.pasts.length === 0;
    return isFresh ? [step("(Temporal's database is backed up.)", { ...world, backup: part })] : [];
  }
  const isQuiet = records.every(({ isListed, isLoose }) => isListed && !isLoose);
  if (backup === part || strays.length > 0 || !isQuiet) return [];
  const after: BatchWorld = {
    ...spent(world, 'restores'),
    run: 'open',
    isDone: false,
    isRestored: true,
    part: parts.restored(backup),
    backup: undefined,
    kept: undefined,
  };
  return [step('Temporal is restored from the backup.', after)];
}

/** A month later, Temporal has forgotten the part, and the service its keys. */
function months(world: BatchWorld): BatchStep[] {
  if (world.left.months === 0 || world.run !== 'closed' || !world.isLongOver) return [];
  const after: BatchWorld = {
    ...spent(world, 'months'),
    run: 'none',
    part: undefined,
    isDone: false,
    isTold: true,
    isLongOver: false,
    records: world.records.map((one) => ({ ...one, isKeyKnown: false })),
  };
  return [step('A month passes: Temporal and the keys have forgotten.', after)];
}
