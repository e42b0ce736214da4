import { resets, restores, retries } from './againSteps';
import { isOver, newLine } from './line';
import { at, fileOf, nameOf, type PayoutRules, type PayoutStep, withRun } from './shardSteps';
import {
  type PayoutWorld,
  type Steer,
  spent,
  withBook,
  withLine,
  withPayout,
  withShard,
} from './world';

/** Things that a payout does, and that people do to it. */
export function payoutSteps(world: PayoutWorld, rules: PayoutRules): PayoutStep[] {
  const { payout } = world;
  const again = [...retries(world, rules), ...resets(world, rules), ...restores(world)];
  const steps = [...starts(world, rules), ...again];
  if (payout.run !== 'open') return steps;
  return [
    ...steps,
    ...payout.book.flatMap((_, part) => partSteps(world, part, rules)),
    ...(isReady(world, rules) ? [sealed(world)] : []),
    ...endings(world, rules),
    ...controls(world, rules),
  ];
}

function starts(world: PayoutWorld, { promises }: PayoutRules): PayoutStep[] {
  const { payout, shards, left } = world;
  if (left.starts === 0 || !['none', 'terminated'].includes(payout.run)) return [];
  // Shards of a run that ended without a word are adopted.
  const isAdopting = payout.run === 'terminated' && promises.adoptsAtCancel;
  const book = shards.map(({ run }) => (isAdopting && run !== 'none' ? 'known' : 'unknown'));
  const { start } = payout;
  const fresh = { run: 'open', start: start + 1, isSealed: false, isCancelled: false } as const;
  const after = withPayout({ ...spent(world, 'starts'), kept: undefined }, { ...fresh, book });
  return [
    { words: `The payout is started, for the ${start + 1}. time.`, world: after, helps: false },
  ];
}

function partSteps(world: PayoutWorld, part: number, rules: PayoutRules): PayoutStep[] {
  const { payout, shards } = world;
  const { book, isSealed, isCancelled, start } = payout;
  const shard = shards[part];
  const entry = book[part];
  if (shard === undefined) return [];
  const name = `Part ${part + 1}`;
  const step = (words: string, after: PayoutWorld) => ({ words, world: after, helps: true });
  const steps: PayoutStep[] = [];
  const file = fileOf(world, rules.scope, part);
  const isForgotten =
    entry === 'known' && shard.run === 'none' && rules.promises.takesForgottenPart;
  const isNew = entry === 'unknown' && !isSealed && !isCancelled && file.length > 0;
  // Other lines than before are refused.
  const isSame = shard.run === 'none' || String(shard.lines) === String(file);
  if ((isNew || isForgotten) && isSame) {
    const running = shard.run === 'open' ? world : withRun(world, part, rules);
    steps.push(step(`${name} is handed over.`, withBook(running, part, 'known')));
  }
  const maySend = !isCancelled && (isSealed || !rules.promises.waitsForSeal);
  const steer: Steer = { start, maySend, isStopped: isCancelled };
  if (
    entry === 'known' &&
    shard.run === 'open' &&
    String(Object.values(shard.steer)) !== String(Object.values(steer))
  ) {
    const words = isCancelled ? 'to stop' : maySend ? 'to send' : 'to wait';
    const told = withShard(world, part, { steer, isClosed: false });
    steps.push(step(`${name} is told ${words}.`, told));
  }
  if (entry === 'known') steps.push(...seen(world, part, rules));
  return steps;
}

/** The end of a part is the result of its shard. */
function seen(world: PayoutWorld, part: number, rules: PayoutRules): PayoutStep[] {
  const { run = 'none', lines = [] } = world.shards[part] ?? {};
  const { endsByResult, readsWholeResult } = rules.promises;
  const name = `Part ${part + 1}`;
  const over = withBook(world, part, 'over');
  if (run === 'open') {
    const words = `${name} says that it is over, and that is believed.`;
    return endsByResult ? [] : [{ words, world: over, helps: true }];
  }
  if (run === 'none') return [];
  const isWhole = lines.every((line) => isOver(at(world, line).line));
  if (isWhole || (run === 'over' && !readsWholeResult)) {
    return [
      { words: `The payout reads the result of part ${part + 1}.`, world: over, helps: true },
    ];
  }
  const words = `${name} had ended before all of its lines. It is started again.`;
  return [{ words, world: withRun(world, part, rules), helps: true }];
}

function isReady(world: PayoutWorld, { scope }: PayoutRules): boolean {
  const { isSealed, isCancelled, book } = world.payout;
  const isThere = (part: number) =>
    fileOf(world, scope, part).length === 0 || book[part] !== 'unknown';
  return !isSealed && !isCancelled && book.every((_, part) => isThere(part));
}

function sealed(world: PayoutWorld): PayoutStep {
  return {
    words: 'The payout is sealed.',
    world: { ...withPayout(world, { isSealed: true }), sealedFor: world.payout.start },
    helps: true,
  };
}

function endings(world: PayoutWorld, { promises }: PayoutRules): PayoutStep[] {
  const { book, isCancelled, isSealed, start } = world.payout;
  if (!isSealed && !isCancelled) return [];
  const lost = world.shards.findIndex(
    ({ run }, part) => run !== 'none' && book[part] === 'unknown',
  );
  if (isCancelled && lost >= 0 && promises.adoptsAtCancel) {
    const words = `The payout finds part ${lost + 1} of an earlier run.`;
    return [{ words, world: withBook(world, lost, 'known'), helps: true }];
  }
  if (book.includes('known')) return [];
  const ends = world.shards.flatMap(({ lines }, part) =>
    book[part] === 'over' ? lines.map((line) => at(world, line).line.stage) : [],
  );
  const run = isCancelled && ends.every((stage) => stage === 'skipped') ? 'cancelled' : 'completed';
  const ended = { ...withPayout(world, { run }), remembered: start };
  return [{ words: `The payout ends as ${run}.`, world: ended, helps: true }];
}

function controls(world: PayoutWorld, { scope }: PayoutRules): PayoutStep[] {
  const { payout, left, lines } = world;
  const { isCancelled, start } = payout;
  const terminated = withPayout(spent(world, 'terminations'), { run: 'terminated' });
  const skipped = world.shards.flatMap(({ run, lines: own }) => (run === 'open' ? own : []));
  return [
    ...(left.terminations > 0
      ? [
          {
            words: 'The payout is terminated.',
            world: { ...terminated, remembered: start },
            helps: false,
          },
        ]
      : []),
    ...(scope.cancels && !isCancelled
      ? [
          {
            words: 'Somebody cancels the payout.',
            world: withPayout(world, { isCancelled: true }),
            helps: true,
          },
        ]
      : []),
    ...skipped.flatMap((number) => {
      const line = lines[number] ?? newLine;
      const waits = line.stage === 'unseen' || line.stage === 'ready';
      if (!scope.skips || !waits || line.isCancelled) return [];
      const words = `Somebody skips ${nameOf(number, line)}.`;
      return [{ words, world: withLine(world, number, { isCancelled: true }), helps: true }];
    }),
  ];
}
