import { lineTarget, retryFault } from '../../../src/orders/payout/lineTarget';
import { newLine } from './line';
import { at, decidedFor, type PayoutRules, type PayoutStep, withRun } from './shardSteps';
import { type PayoutWorld, spent, withBook, withLine, withPayout } from './world';

/** Retries a line that has failed, of a payout that runs or that has completed. */
export function retries(world: PayoutWorld, rules: PayoutRules): PayoutStep[] {
  const { payout, left, shards } = world;
  if (!payout.isSealed || (payout.run !== 'open' && payout.run !== 'completed')) return [];
  return shards.flatMap(({ run, lines }, part) => {
    if (run === 'none' || payout.book[part] === 'unknown') return [];
    return lines.flatMap((number) => {
      const { generation: now, stage } = at(world, number).line;
      const decided = world.decided[number] ?? 0;
      const steps: PayoutStep[] = [];
      const target = { lineId: String(number), generation: now };
      const outcome = stage === 'failed' ? 'failed' : 'waiting';
      const isFit = retryFault(target, { outcome, generation: now }) === undefined;
      if (
        left.retries > 0 &&
        (isFit || (!rules.promises.retryNeedsProof && stage === 'accepted'))
      ) {
        const after = decidedFor(spent(world, 'retries'), number, now + 1);
        const words = `Somebody retries ${lineTarget(target)}.`;
        steps.push({ words, world: raised(after, { part, number }, rules), helps: false });
      }
      // The same request again: it names a generation that was retried before.
      if (
        !rules.promises.retryNamesGeneration &&
        decided > 0 &&
        decided === now &&
        stage === 'failed'
      ) {
        const words = 'The same retry is asked for again.';
        steps.push({ words, world: raised(world, { part, number }, rules), helps: false });
      }
      return steps;
    });
  });
}

/** The same line under its next key. A shard that is done is started again for it. */
function raised(
  world: PayoutWorld,
  { part, number }: { part: number; number: number },
  rules: PayoutRules,
): PayoutWorld {
  const { line, records } = at(world, number);
  const isRunning = world.shards[part]?.run === 'open';
  const reopened = isRunning ? world : withRun(world, part, rules);
  const { start, run } = world.payout;
  // A completed payout is started again with the results of its parts.
  const open =
    run === 'open' ? {} : ({ run: 'open', start: start + 1, isCancelled: false } as const);
  const isProven = records.length === 0 || !rules.promises.retryNeedsProof;
  const next = { ...newLine, generation: line.generation + 1, isProven };
  const after = withBook(withPayout(withLine(reopened, number, next), open), part, 'known');
  return { ...after, sealedFor: after.payout.start };
}

/** A reset goes back to an earlier point of the payout. Requests to it are made again. */
export function resets(world: PayoutWorld, { promises }: PayoutRules): PayoutStep[] {
  const { payout, kept, left } = world;
  if (left.resets === 0 || payout.run === 'none') return [];
  if (kept === undefined) {
    const words = '(To this point the payout will be reset.)';
    return payout.run === 'open'
      ? [{ words, world: { ...world, kept: payout }, helps: false }]
      : [];
  }
  if (kept === payout || kept.start !== payout.start) return [];
  const { isCancelled } = payout;
  const isRetried = (part: number) =>
    promises.retriesAgainAfterReset &&
    world.shards[part]?.lines.some((number) => (world.decided[number] ?? 0) > 0);
  const book = kept.book.map((entry, part) =>
    entry === 'over' && isRetried(part) ? ('known' as const) : entry,
  );
  const back = {
    ...spent(world, 'resets'),
    payout: { ...kept, book, isCancelled },
    kept: undefined,
  };
  return [{ words: 'The payout is reset.', world: back, helps: false }];
}

/**
 * Temporal's database is restored, and with it the payout and its parts. No worker runs for a grace
 * period, so that what was under way is listed.
 */
export function restores(world: PayoutWorld): PayoutStep[] {
  const { payout, shards, lines, sealedFor, backup, left, records } = world;
  if (left.restores === 0) return [];
  if (backup === undefined) {
    const words = "(Temporal's database is backed up.)";
    const now = { payout, shards, lines, sealedFor };
    return payout.run === 'none' ? [] : [{ words, world: { ...world, backup: now }, helps: false }];
  }
  if (records.some((own) => own.some(({ isListed }) => !isListed))) return [];
  const after: PayoutWorld = {
    ...spent(world, 'restores'),
    ...backup,
    remembered: 0,
    lines: backup.lines.map((line) => ({ ...line, isOutdated: true })),
    kept: undefined,
    backup: undefined,
  };
  return [{ words: 'Temporal is restored from the backup.', world: after, helps: false }];
}
