import type { Game } from '../explore';
import { isLive, newLine } from './line';
import { payoutSteps } from './payoutSteps';
import { nameOf, type PayoutRules, type PayoutStep, shardSteps, withRecords } from './shardSteps';
import {
  firstWorld,
  noShard,
  type PayoutScope,
  type PayoutWorld,
  spent,
  textOf,
  withPayout,
  withShard,
} from './world';

/** A payout in the worlds of a scope. */
export function payoutGame(rules: PayoutRules): Game<PayoutWorld> {
  return {
    first: firstWorld(rules.scope),
    textOf,
    stepsOf: (world) => [
      ...payoutSteps(world, rules),
      ...shardSteps(world, rules),
      ...worldSteps(world),
    ],
    isEnd: ({ payout, shards }) =>
      payout.run !== 'open' && shards.every(({ run }) => run !== 'open'),
    brokenPromise: (world) => brokenPromise(world, rules.scope),
    brokenByStep,
  };
}

/** Things that happen at the service, in Temporal, and with time. */
function worldSteps(world: PayoutWorld): PayoutStep[] {
  const steps: PayoutStep[] = [];
  const step = (words: string, after: PayoutWorld, helps = true) =>
    steps.push({ words, world: after, helps });
  for (const [number, records] of world.records.entries()) {
    for (const [index, record] of records.entries()) {
      const changed = (change: object) =>
        withRecords(
          world,
          number,
          records.map((own, at) => (at === index ? { ...own, ...change } : own)),
        );
      const name = `the record of line ${number + 1}#${record.generation}`;
      if (!record.isListed) step(`The list shows ${name}.`, changed({ isListed: true }));
      if (record.state !== 'pending') continue;
      step(`The service completes ${name}.`, changed({ state: 'paid' }));
      step(`The service fails ${name}.`, changed({ state: 'void' }));
    }
  }
  if (world.remembered > 0) step('Five seconds pass.', { ...world, remembered: 0 });
  for (const [part, { run }] of world.shards.entries()) {
    if (run !== 'open' || world.left.kills === 0) continue;
    const killed = withShard(spent(world, 'kills'), part, { run: 'killed' });
    step(`Part ${part + 1} is terminated from outside.`, killed, false);
  }
  return [...steps, ...retentions(world)];
}

/** A month passes: keys are old, all is listed, and Temporal forgets what has closed. */
function retentions(world: PayoutWorld): PayoutStep[] {
  const isBusy = world.lines.some(({ stage }) => stage === 'sending');
  if (world.left.retentions === 0 || isBusy) return [];
  const { backup } = world;
  const older: PayoutWorld = {
    ...spent(world, 'retentions'),
    ...monthLater(world),
    remembered: 0,
    records: world.records.map((own) =>
      own.map((record) => ({ ...record, isListed: true, isKeyKnown: false })),
    ),
    backup: backup && { ...backup, ...monthLater(backup) },
  };
  const step = (what: string, after: PayoutWorld): PayoutStep => ({
    words: `A month passes, and Temporal forgets ${what}.`,
    world: after,
    helps: false,
  });
  const isForgettable = ['completed', 'cancelled', 'terminated'].includes(world.payout.run);
  return [
    step('the closed parts', withoutParts(older)),
    ...(isForgettable
      ? [step('the payout', withoutPayout(older)), step('all', withoutPayout(withoutParts(older)))]
      : []),
  ];
}

function monthLater({ lines, shards }: Pick<PayoutWorld, 'lines' | 'shards'>) {
  return {
    lines: lines.map((line) => ({ ...line, isOld: line.isOld || !line.isClean })),
    shards: shards.map((shard) => ({ ...shard, isOld: shard.run !== 'none' })),
  };
}

function withoutPayout(world: PayoutWorld): PayoutWorld {
  const book = world.payout.book.map(() => 'unknown' as const);
  return {
    ...withPayout(world, { run: 'none', isSealed: false, isCancelled: false, book }),
    kept: undefined,
  };
}

function withoutParts(world: PayoutWorld): PayoutWorld {
  const gone = world.shards.flatMap(({ run, lines }) => (run === 'open' ? [] : lines));
  return {
    ...world,
    lines: world.lines.map((line, number) => (gone.includes(number) ? newLine : line)),
    shards: world.shards.map((shard) => (shard.run === 'open' ? shard : noShard)),
  };
}

/** Says which promise a world breaks. */
function brokenPromise(
  { records, decided, payout, shards, lines, left }: PayoutWorld,
  { restores }: PayoutScope,
): string | undefined {
  for (const [number, own] of records.entries()) {
    const name = `Line ${number + 1}`;
    if (own.filter(isLive).length > 1) return `${name} was paid twice, or may be.`;
    const last = Math.max(-1, ...own.map(({ generation }) => generation));
    if (own.some((one) => one.generation < last && isLive(one))) {
      return `${name}: attempt #${last} was sent before the one before it was proven void.`;
    }
    if (last > (decided[number] ?? 0)) return `${name}: nobody has asked for attempt #${last}.`;
  }
  // Restored runs do not know of attempts that were made since. Their ends are of those they know.
  if (left.restores < restores) return undefined;
  const own = shards.flatMap(({ lines: numbers, run }) => (run === 'none' ? [] : numbers));
  // Parts that Temporal has forgotten are unknown to a payout that is cancelled.
  if (payout.run === 'cancelled' && own.some((number) => records[number]?.some(isLive))) {
    return 'The payout says that nothing was sent, and a line is pending or paid.';
  }
  if (payout.run !== 'completed') return undefined;
  for (const number of own) {
    const { stage = 'unseen' } = lines[number] ?? {};
    const isSent = (records[number] ?? []).some(isLive);
    const isEnded = ['paid', 'failed', 'skipped', 'givenUp'].includes(stage);
    if (!isEnded)
      return `The payout is done, and ${nameOf(number, lines[number] ?? newLine)} is ${stage}.`;
    if (stage === 'paid' && !records[number]?.some(({ state }) => state === 'paid'))
      return `Line ${number + 1} is called paid, and it is not.`;
    if ((stage === 'failed' || stage === 'skipped') && isSent) {
      return `Line ${number + 1} is called ${stage}, and it is pending or paid.`;
    }
  }
  return undefined;
}

/** Says which promise a step breaks: nothing new is sent unless its own payout runs and is sealed. */
function brokenByStep(before: PayoutWorld, { world }: PayoutStep): string | undefined {
  const number = world.records.findIndex(
    (own, at) => own.length > (before.records[at]?.length ?? 0),
  );
  if (number < 0) return undefined;
  const { payout, remembered, sealedFor } = before;
  const sentFor = before.sentFor[number] ?? 0;
  if (sentFor > sealedFor) return 'A line was sent before the seal.';
  const isRunning = payout.run === 'open' && payout.start === sentFor;
  return isRunning || remembered === sentFor
    ? undefined
    : 'A line was sent after its payout had ended.';
}
