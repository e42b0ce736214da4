import type { OpenedShard } from '../../../activities/payout/openShard';
import { beforeWriterMs, graceMs, nowMs } from '../world';
import { type Parts, requestOf } from './part';
import {
  type BatchStep,
  type BatchWorld,
  type OpenedPart,
  type Request,
  spent,
  underWay,
} from './world';

/** Things that people and Temporal do to runs: start, terminate, reset, restore, forget. */
export function runSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  return [...starts(world, parts), ...interruptions(world, parts), ...months(world)];
}

/** A run may be ended or reset at any time, also while it sends a request. */
export function interruptions(world: BatchWorld, parts: Parts): BatchStep[] {
  return [...terminations(world, parts), ...resets(world, parts), ...backups(world, parts)];
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
  const [request] = sendingOf(part, parts);
  const words = 'The part is terminated';
  const late = request === undefined ? [] : underWay(world, request, parts.scope);
  return [world, ...late].flatMap((left) =>
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

function sendingOf(part: OpenedPart, parts: Parts): Request[] {
  const shard = parts.shardOf(part);
  return shard.payments.at('sending').map((one) => requestOf(shard, one));
}

/** Somebody resets the run to a point that it has passed. A retry is asked for again then. */
function resets(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, kept, left } = world;
  if (left.resets === 0 || run !== 'open' || part === undefined) return [];
  if (kept === undefined) {
    const words = '(To this point the part will be reset.)';
    return [{ words, world: { ...world, kept: part }, helps: false }];
  }
  if (kept === part) return [];
  const back = parts.after(kept, 'reset', (shard) => {
    shard.carried.doubtedAtMs = nowMs;
  });
  const after = { ...spent(world, 'resets'), part: back, kept: undefined };
  const words = 'The part is reset';
  const late = sendingOf(part, parts).flatMap((one) => underWay(after, one, parts.scope));
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
 * Temporal's database is restored. No worker runs for a grace period, so that what was under way is
 * listed, or was lost. A run that has ended since runs again.
 */
function backups(world: BatchWorld, parts: Parts): BatchStep[] {
  const { run, part, backup, left, strays, records } = world;
  if (left.restores === 0 || part === undefined) return [];
  if (backup === undefined) {
    const words = "(Temporal's database is backed up.)";
    return run === 'open' ? [{ words, world: { ...world, backup: part }, helps: false }] : [];
  }
  const isQuiet = records.every(({ isListed, isLoose }) => isListed && !isLoose);
  if (backup === part || strays.length > 0 || !isQuiet) return [];
  const restored = parts.after(parts.older(backup), 'restored', ({ carried }) => {
    for (const state of Object.values(carried.writes)) {
      if (state.lookedUpAtMs !== undefined) state.lookedUpAtMs = beforeWriterMs;
    }
  });
  const after: BatchWorld = {
    ...spent(world, 'restores'),
    run: 'open',
    isDone: false,
    isRestored: true,
    part: restored,
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
