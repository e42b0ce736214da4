import type { StepOf } from '../explore';
import { events, isOver, type Line, newLine, type Record } from './line';
import {
  noSteer,
  type PayoutScope,
  type PayoutWorld,
  type Promises,
  withLine,
  withShard,
} from './world';

export type PayoutRules = { scope: PayoutScope; promises: Promises };
export type PayoutStep = StepOf<PayoutWorld>;

/** Things that the shards do: look up, send, watch, close. */
export function shardSteps(world: PayoutWorld, rules: PayoutRules): PayoutStep[] {
  return world.shards.flatMap((shard, part) => {
    if (shard.run !== 'open') return [];
    return [
      ...shard.lines.flatMap((line) => lineSteps(world, { part, line }, rules)),
      ...closings(world, part),
    ];
  });
}

type Place = { part: number; line: number };

function lineSteps(world: PayoutWorld, place: Place, rules: PayoutRules): PayoutStep[] {
  const { line: number } = place;
  const { line, records } = at(world, number);
  const steer = world.shards[place.part]?.steer ?? noSteer;
  const isHeld = !steer.maySend || steer.isStopped || world.shards[place.part]?.isClosed === true;
  const step = (words: string, after: Line): PayoutStep => ({
    words: `${nameOf(number, line)}: ${words}. It is ${after.stage}.`,
    world: withLine(world, number, after),
    helps: true,
  });
  if (steer.isStopped && !line.isCancelled && !isOver(line)) {
    return [step('The shard cancels it', { ...line, isCancelled: true })];
  }
  if (line.stage === 'sending') return attempts(world, place, rules);
  const looked = events.looked(line, records).filter((after) => isPlain(line, after, records));
  const isSent = line.stage === 'ready' && (!isHeld || line.isCancelled);
  const sending = isSent ? events.sending(line) : [];
  const isWatched = line.stage === 'accepted';
  const settled = (isWatched ? events.settled : events.confirmed)(line, records).filter(isOver);
  return [
    ...looked.map((after) => step('A look-up', after)),
    ...sending.map((after) => {
      // A key that was never used begins its life now.
      const sent = step('It is to be sent', { ...after, isOld: !line.isClean && line.isOld });
      return { ...sent, world: sentFor(sent.world, number, steer.start) };
    }),
    ...settled.map((after) => step('Its record is final', after)),
    ...events.found(line, records).map((after) => {
      const answered = step('A person answers', after);
      return { ...answered, world: decidedFor(answered.world, number, after.generation) };
    }),
  ];
}

/** Contradictions belong to the layer of one write. Nobody is asked before the list is complete. */
function isPlain(before: Line, after: Line, records: readonly Record[]): boolean {
  if (after.stage !== 'asking') return after.stage !== before.stage;
  return (
    before.stage === 'doubt' && records.every(({ isListed }) => isListed) && !records.some(isOwn)
  );
  function isOwn({ generation }: Record): boolean {
    return generation >= before.generation;
  }
}

/** The activity asks for permission, then sends. Old keys are not used again. */
function attempts(
  world: PayoutWorld,
  { part, line: number }: Place,
  rules: PayoutRules,
): PayoutStep[] {
  const { line } = at(world, number);
  const name = `${nameOf(number, line)}: The attempt`;
  const step = (words: string, after: PayoutWorld, change: Partial<Line>): PayoutStep => ({
    words: `${name} ${words}.`,
    world: withLine(after, number, change),
    helps: true,
  });
  if (line.isOutdated && rules.promises.looksUpAgain) {
    return [
      step('is not made: the writer has begun since the look-up', world, { stage: 'unseen' }),
      step('is lost with its worker', world, { stage: 'ready', isClean: false }),
    ];
  }
  if (!isPermitted(world, number, rules.promises)) {
    const closed = withShard(world, part, { isClosed: true });
    return [step('is not made: its payout has ended', closed, { stage: 'ready' })];
  }
  if (line.isOld && !line.isClean) return [step('would use an old key', world, { stage: 'doubt' })];
  const reached = delivered(world, number);
  const refused = line.isClean ? 'failed' : 'doubt';
  return [
    step('is not sent', world, { stage: 'ready' }),
    step('is refused', world, { stage: refused }),
    step('is lost', world, { stage: 'ready', isClean: false }),
    step('is accepted', reached, { stage: 'accepted' }),
    step('is accepted, and the answer is lost', reached, { stage: 'ready', isClean: false }),
  ];
}

function isPermitted(
  { payout, sentFor, remembered }: PayoutWorld,
  line: number,
  promises: Promises,
) {
  const start = sentFor[line] ?? 0;
  if (!promises.asksPermission || remembered === start) return true;
  return payout.run === 'open' && (payout.start === start || !promises.asksForItsRun);
}

/** A request arrives. The service replays the record of a key that it remembers. */
function delivered(world: PayoutWorld, number: number): PayoutWorld {
  const { line, records } = at(world, number);
  const { generation } = line;
  if (records.some((one) => one.generation === generation && one.isKeyKnown)) return world;
  const record = { generation, state: 'pending', isListed: false, isKeyKnown: true } as const;
  return withRecords(world, number, [...records, record]);
}

export function withRecords(
  world: PayoutWorld,
  number: number,
  records: readonly Record[],
): PayoutWorld {
  return { ...world, records: world.records.map((own, at) => (at === number ? records : own)) };
}

/** A shard closes when all of its lines have ended, or when its payout is gone. */
function closings(world: PayoutWorld, part: number): PayoutStep[] {
  const { lines = [], isClosed = false } = world.shards[part] ?? {};
  const stages = lines.map((line) => at(world, line).line);
  const isPending = stages.some(({ stage }) => ['sending', 'accepted', 'doubt'].includes(stage));
  const name = `Part ${part + 1}`;
  const step = (words: string, after: PayoutWorld) => [{ words, world: after, helps: true }];
  return [
    ...(world.payout.run === 'open' || isClosed
      ? []
      : step(
          `${name} learns that its payout has ended.`,
          withShard(world, part, { isClosed: true }),
        )),
    ...(isPending || !(isClosed || stages.every(isOver))
      ? []
      : step(
          `${name} closes, with its lines ${told(stages)}.`,
          withShard(world, part, { run: 'over' }),
        )),
  ];
}

/** A new run of a shard. Where Temporal knows the run before, it goes on from that. */
export function withRun(
  world: PayoutWorld,
  part: number,
  { scope, promises }: PayoutRules,
): PayoutWorld {
  const {
    run,
    lines: before,
    isOld,
  } = world.shards[part] ?? { run: 'none', lines: [], isOld: false };
  const isKnown = run !== 'none';
  const numbers = isKnown ? before : fileOf(world, scope, part);
  const lines = world.lines.map((line, number) => {
    if (!numbers.includes(number)) return line;
    const stage = promises.looksUpAll || number > 0 ? 'unseen' : 'ready';
    if (!isKnown || !promises.readsRunsBefore) return { ...newLine, stage } as const;
    if (isOver(line)) return line;
    const { generation } = line;
    const isUnsent = line.isClean && ['unseen', 'ready'].includes(line.stage);
    if (isUnsent) return { ...newLine, stage, generation, isProven: generation > 0 } as const;
    return { ...newLine, stage, generation, isClean: false, isOld } as const;
  });
  const fresh = { run: 'open', lines: numbers, steer: noSteer, isClosed: false } as const;
  return withShard({ ...world, lines }, part, { ...fresh, isOld: isKnown && isOld });
}

/** The lines of a part in the file of this start. */
export function fileOf({ payout }: PayoutWorld, scope: PayoutScope, part: number): number[] {
  const count = scope.grows && payout.start < 2 ? scope.parts.length - 1 : scope.parts.length;
  return scope.parts.flatMap((own, line) => (own === part && line < count ? [line] : []));
}

export function at(world: PayoutWorld, number: number): { line: Line; records: readonly Record[] } {
  return { line: world.lines[number] ?? newLine, records: world.records[number] ?? [] };
}

export function decidedFor(world: PayoutWorld, number: number, generation: number): PayoutWorld {
  const decided = world.decided.map((own, at) => (at === number ? Math.max(own, generation) : own));
  return { ...world, decided };
}

function sentFor(world: PayoutWorld, number: number, start: number): PayoutWorld {
  return { ...world, sentFor: world.sentFor.map((own, at) => (at === number ? start : own)) };
}

export function nameOf(number: number, { generation }: Line): string {
  return `Line ${number + 1}#${generation}`;
}

function told(lines: readonly Line[]): string {
  return lines.map(({ stage }) => stage).join(', ');
}
