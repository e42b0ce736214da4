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

/** A run that ended with open lines is started again, as is one that everybody has forgotten. */
function starts(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, starts: before } = world;
  const size = parts.scope.sizes[before];
  // The result of a part that is done is returned.
  if (size === undefined || run === 'open' || world.isDone) return [];
  const after: BatchWorld = {
    ...world,
    run: 'open',
    isDone: false,
    starts: before + 1,
    kept: undefined,
  };
  const batches = size === false ? 'line by line' : `in batches of ${size}`;
  const opened = parts.opened(size, knownOf(world));
  const words = `The part is started, ${batches}.`;
  return [{ words, world: { ...after, part: opened, isTold: true }, helps: false }];
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
      const ended = { ...left, run: 'closed', isTold, isLongOver: false } as const;
      return {
        words: `${words}${how}${isTold ? '' : ', and nobody can read its lines'}.`,
        world: { ...ended, kept: undefined },
        helps: false,
      };
    }),
  );
}

/** The world with a request under way that the run has begun to send. */
function overtaken(world: BatchWorld, part: Part, { scope }: Parts): BatchWorld[] {
  const sent = part.calls.filter(({ name, isOld }) => sends.has(name) && !isOld);
  return sent.flatMap(askedBy).flatMap((one) => underWay(world, requestOf(one), scope));
}

const sends = new Set(['executeContract', 'createTransfer', 'createTransfers']);

/** Somebody resets the run to a point that it has passed. A retry is asked for again then. */
function resets(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, kept, left } = world;
  if (left.resets === 0 || run !== 'open' || part === undefined) return [];
  if (kept === undefined) {
    const words = '(To this point the part will be reset.)';
    return [{ words, world: { ...world, kept: part }, helps: false }];
  }
  if (kept === part) return [];
  const back = parts.places.reset(kept);
  const after = { ...spent(world, 'resets'), part: back, kept: undefined };
  const words = 'The part is reset';
  const late = overtaken(after, part, parts);
  return [
    { words: `${words}.`, world: after, helps: false },
    ...late.map((left) => ({
      words: `${words} while its request is under way.`,
      world: left,
      helps: false,
    })),
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
    const words = "(Temporal's database is backed up.)";
    const isFresh = run === 'open' && part.script.pasts.length === 0;
    return isFresh ? [{ words, world: { ...world, backup: part }, helps: false }] : [];
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
  return [{ words: 'Temporal is restored from the backup.', world: after, helps: false }];
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
  return [
    { words: 'A month passes: Temporal and the keys have forgotten.', world: after, helps: false },
  ];
}
