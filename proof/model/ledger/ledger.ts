import type { Work } from '../../../src/store/work';
import type { Game, StepOf } from '../explore';
import { looked, passedWithOthers, stepsOfOthers } from './others';
import type { LedgerScope } from './scopes';
import { type Place, wordsOn } from './words';
import {
  aged,
  chargeColumn,
  column,
  type Key,
  keyLifetimeMs,
  type LedgerMemory,
  type LedgerRules,
  type LedgerWorld,
  ledgerRules,
  type Memory,
  nothing,
  nowMs,
  openMemory,
  reservationOf,
  ticksMax,
  unused,
  windowTicks,
} from './world';

const at = { nowMs, keyLifetimeMs };
const lifetimeTicks = 2;

/** A writer with the product's ledger, before a service that loses and delays requests. */
export function ledgerGame(
  scope: LedgerScope,
  rules: LedgerRules = ledgerRules,
): Game<LedgerWorld> {
  const ledger = openMemory();
  const names = Array.from({ length: scope.writes }, (_, at) => 'abc'[at] ?? '').flatMap((write) =>
    Array.from({ length: scope.generations }, (_, generation) => `${write}#${generation}`),
  );
  const keys = Object.fromEntries(names.map((name) => [name, unused]));
  return {
    first: { memory: nothing, keys, others: [], losses: scope.losses, lies: scope.lies },
    stepsOf: (world) => [
      ...names.flatMap((name) => stepsWith(ledger, { scope, rules, world, name })),
      ...names.flatMap((name) => wordsOn(ledger, { scope, rules, world, name })),
      ...names.flatMap((name) => findingOn(ledger, { scope, rules, world, name })),
      ...stepsOfOthers(ledger, { scope, rules, world }),
      ...lossOf(ledger, { rules, world }),
      tick(world, scope),
    ],
    textOf: (world) => JSON.stringify(world),
    isEnd: isAtRest,
    brokenPromise: (world) => brokenPromise(world, scope),
    brokenByStep: (before, { world }) => passedWithOthers(before, world, scope.max),
  };
}

function stepsWith(
  ledger: LedgerMemory,
  { scope, rules, world, name }: Place,
): StepOf<LedgerWorld>[] {
  const { memory, keys } = world;
  const key = keys[name] ?? unused;
  const [write = '', generation] = name.split('#');
  const asked = reservationOf(write, Number(generation), scope.max);
  const steps: StepOf<LedgerWorld>[] = [];
  const step = (
    words: string,
    change: Partial<Key>,
    { after = memory, helps = true } = {},
  ): void => {
    const next = { ...world, memory: after, keys: { ...keys, [name]: { ...key, ...change } } };
    steps.push({ words: `${name}: ${words}.`, world: next, helps });
  };
  const changed = (work: Work<unknown>): Memory => ledger.after(memory, work).memory;
  if (!key.calls) {
    const { memory: after, answer } = ledger.after(memory, rules.reserve(asked, at));
    const isLetOut = answer.kind === 'reserved' || answer.kind === 'repeated';
    const wire = Math.min(key.wire + 1, scope.wireMax);
    if (isLetOut) step('the ledger lets it out, and it is sent', { calls: true, wire }, { after });
    const refused = changed(rules.sql.refuse.run(write, Number(generation)));
    if (generation !== '0' || scope.generations > 1) {
      step('the policy of now refuses it', {}, { after: refused, helps: false });
    }
  }
  if (key.wire > 0) {
    const isNew = key.truth === 'none' || !key.isRemembered;
    const accepted = { truth: 'pending', agoTicks: 0, isRemembered: true } as const;
    const wire = key.wire - 1;
    if (isNew && key.truth === 'none') step('the service takes it', { ...accepted, wire });
    else if (isNew) step('the service takes it a second time', { ...accepted, wire, agoTicks: -1 });
    else step('the service knows its key', { wire });
    const gaveBack = changed(rules.giveBack(asked.key));
    if (key.calls && key.truth === 'none') {
      // A key that nothing came of begins its life again.
      const own = gaveBack.writes.filter((row) => row[column.key] === name);
      const sentTicks = own.some((row) => isIn('unsent', row)) ? 0 : key.sentTicks;
      step('it is refused without effect', { calls: false, wire, sentTicks }, { after: gaveBack });
    }
    step('a request is lost', { wire }, { helps: false });
  }
  if (key.calls) {
    const took = changed(rules.sql.accept.run(name, asked.key));
    if (key.truth !== 'none') step('the answer comes', { calls: false }, { after: took });
    step('the writer is killed', { calls: false });
  }
  if (key.truth === 'pending') {
    step('it pays', { truth: 'paid', agoTicks: 0 });
    step('it fails', { truth: 'void', agoTicks: 0 });
  }
  return steps;
}

/** An operator who sees no record finds that there was no effect. The ledger says when that counts. */
function findingOn(ledger: LedgerMemory, { rules, world, name }: Place): StepOf<LedgerWorld>[] {
  const { memory, keys } = world;
  const { truth = 'none', calls = false } = keys[name] ?? {};
  if (truth !== 'none' || calls) return [];
  const [hash = '', generation] = name.split('#');
  const finding = { person: 'o', statement: '', signature: '' };
  const words = `${name}: an operator finds that it had no effect.`;
  const found = rules.findOne({ hash, generation: Number(generation), finding }, at);
  try {
    const after = ledger.after(memory, found).memory;
    return [{ words, world: { ...world, memory: after }, helps: true }];
  } catch {
    return [];
  }
}

/**
 * The ledger is lost, and rebuilt from the service's list: every key that is found there is burnt,
 * and counts. Nothing is on its way meanwhile, since its writers have ended.
 */
function lossOf(
  ledger: LedgerMemory,
  { rules, world }: { rules: LedgerRules; world: LedgerWorld },
): StepOf<LedgerWorld>[] {
  const { keys, others, losses, lies } = world;
  const all = Object.entries(keys);
  if (losses === 0 || all.some(([, { wire, calls }]) => wire > 0 || calls)) return [];
  const memory = looked(ledger, { memory: nothing, rules, world });
  const words = 'The ledger is lost, and rebuilt from the list.';
  // A key that nothing came of begins its life again.
  const younger = all.map(([name, key]): [string, Key] =>
    key.truth === 'none' ? [name, unused] : [name, key],
  );
  const seen = others.map((other) => ({ ...other, isSeen: true }));
  const after = {
    memory,
    keys: Object.fromEntries(younger),
    others: seen,
    losses: losses - 1,
    lies,
  };
  return [{ words, world: after, helps: false }];
}

/**
 * Half a window passes. No request is on its way for longer than the service knows its key. None
 * is when its first attempt is older than that, since the writer does not repeat it then. The grace
 * period of a word is shorter than a tick.
 */
function tick(now: LedgerWorld, { node }: LedgerScope): StepOf<LedgerWorld> {
  const { memory, keys } = now;
  const later = aged(memory);
  const isOld = (name: string): boolean =>
    later.writes.some(
      (row) => row[column.key] === name && Number(row[column.firstMs]) < nowMs - keyLifetimeMs,
    );
  const older = Object.entries(keys).map(([name, key]): [string, Key] => {
    if (key.truth === 'none' && key.wire === 0 && !key.calls) {
      return [name, { ...key, sentTicks: 0 }];
    }
    const sentTicks = Math.min(key.sentTicks + 1, ticksMax);
    const isLate = sentTicks > lifetimeTicks || isOld(name);
    const agoTicks = key.agoTicks < 0 ? key.agoTicks : Math.min(key.agoTicks + 1, windowTicks);
    const late = isLate ? { wire: 0, calls: false, isRemembered: false } : {};
    // A false word lasts for less than the grace period, unless the chain tells.
    const isCalledFailed = key.isCalledFailed && node && key.truth === 'paid';
    return [name, { ...key, sentTicks, agoTicks, isCalledFailed, ...late }];
  });
  const others = now.others.map((other) => {
    const agoTicks = Math.min(other.agoTicks + 1, windowTicks);
    return other.truth === 'pending' ? other : { ...other, agoTicks };
  });
  const world = { ...now, memory: later, keys: Object.fromEntries(older), others };
  return { words: 'Half a window passes.', world, helps: true };
}

/** Nothing is on its way, and the ledger holds nothing back. */
function isAtRest({ memory, keys, others }: LedgerWorld): boolean {
  const isStill = Object.values(keys).every(({ wire, calls }) => wire === 0 && !calls);
  const isMoving = [...Object.values(keys), ...others].some(({ truth }) => truth === 'pending');
  const isHolding =
    memory.writes.some((row) => isIn('open', row)) ||
    memory.charges.some((row) => row[chargeColumn.state] === 'open');
  return isStill && !isMoving && !isHolding;
}

function isIn(state: 'open' | 'unsent', row: readonly unknown[]): boolean {
  return row[column.state] === state;
}

function brokenPromise({ keys }: LedgerWorld, { max }: LedgerScope): string | undefined {
  const all = Object.entries(keys);
  if (all.some(([, { agoTicks }]) => agoTicks < 0)) return 'A key has two transactions.';
  const inWindow = all.filter(
    ([, { truth, agoTicks }]) =>
      truth === 'pending' || (truth === 'paid' && agoTicks < windowTicks),
  );
  if (inWindow.length > max)
    return `${inWindow.length} are paid in a window that has room for ${max}.`;
  const live = new Set<string>();
  for (const [name, { truth }] of all) {
    const [write = ''] = name.split('#');
    if (truth !== 'pending' && truth !== 'paid') continue;
    if (live.has(write)) return `Two generations of ${write} have an effect.`;
    live.add(write);
  }
  return undefined;
}
