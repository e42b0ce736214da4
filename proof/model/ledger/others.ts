import type { Reference } from '../../../src/custody/reference';
import type { Work } from '../../../src/store/work';
import type { Outside } from '../../../src/writer/ledger/ledger';
import type { StepOf } from '../explore';
import type { LedgerScope } from './scopes';
import {
  column,
  type Key,
  type LedgerMemory,
  type LedgerRules,
  type LedgerWorld,
  type Memory,
  nowMs,
  type Other,
  ownCharge,
  tickMs,
  windowTicks,
} from './world';

type Place = { scope: LedgerScope; rules: LedgerRules; world: LedgerWorld };

/** The steps of somebody else who pays from the same wallet, and of a writer who looks at the list. */
export function stepsOfOthers(
  ledger: LedgerMemory,
  { scope, rules, world }: Place,
): StepOf<LedgerWorld>[] {
  const { others, memory, keys } = world;
  // Without others and losses, a list shows a ledger nothing but its own writes.
  if (scope.others === 0 && scope.losses === 0) return [];
  const steps: StepOf<LedgerWorld>[] = [];
  const step = (words: string, change: Partial<LedgerWorld>, helps = true): void => {
    steps.push({ words, world: { ...world, ...change }, helps });
  };
  if (others.length < scope.others) {
    const paid: Other = { truth: 'pending', agoTicks: 0, isSeen: false };
    step('Somebody else pays.', { others: [...others, paid] }, false);
  }
  for (const [at, other] of others.entries()) {
    if (other.truth !== 'pending') continue;
    const ended = (truth: Other['truth']) => others.with(at, { ...other, truth, agoTicks: 0 });
    step(`The payment ${at} of somebody else pays.`, { others: ended('paid') });
    step(`The payment ${at} of somebody else fails.`, { others: ended('void') });
  }
  const seen = others.map((other) => ({ ...other, isSeen: true }));
  const after = looked(ledger, { memory, rules, world: { keys, others } });
  step('A writer looks at the list.', { memory: after, others: seen });
  return steps;
}

/** A memory after a look at the list, by the product's rules. */
export function looked(
  ledger: LedgerMemory,
  {
    memory,
    rules,
    world,
  }: { memory: Memory; rules: LedgerRules; world: Pick<LedgerWorld, 'keys' | 'others'> },
): Memory {
  const own = Object.entries(world.keys).flatMap(([name, key]) => {
    const [hash = '', generation] = name.split('#');
    return recordOf(name, key, { hash, generation: Number(generation) });
  });
  const others = world.others.flatMap((other, at) => recordOf(`other ${at}`, other, undefined));
  const work = enterAll([...own, ...others], rules);
  return ledger.after(memory, work).memory;
}

function* enterAll(records: readonly Outside[], rules: LedgerRules): Work<void> {
  for (const record of records) yield* rules.enter(record, nowMs);
}

/** A record of the list. Nothing is there of what was never accepted. */
function recordOf(
  transactionId: string,
  { truth, agoTicks }: Pick<Key, 'truth' | 'agoTicks'>,
  reference: Reference | undefined,
): Outside[] {
  if (truth === 'none') return [];
  const one = { transactionId, reference };
  if (truth === 'pending') {
    return [{ ...one, state: 'moving', endMs: undefined, charges: [ownCharge] }];
  }
  const endMs = nowMs - Math.max(agoTicks, 0) * tickMs;
  if (truth === 'void') return [{ ...one, state: 'void', endMs, charges: [] }];
  return [{ ...one, state: 'settled', endMs, charges: [ownCharge] }];
}

/**
 * A write that is let out for the first time fits beside all that has an effect in the window. That
 * is the other writes, and what others had paid at the last look.
 */
export function passedWithOthers(
  before: LedgerWorld,
  after: LedgerWorld,
  max: number,
): string | undefined {
  const isHeld = ({ memory }: LedgerWorld, name: string): boolean =>
    memory.writes.some((row) => row[column.key] === name && row[column.state] === 'open');
  const name = Object.keys(after.keys).find((one) => isHeld(after, one) && !isHeld(before, one));
  if (name === undefined) return undefined;
  const writes = Object.entries(before.keys).filter(([one, key]) => one !== name && counts(key));
  const seen = before.others.filter((other) => other.isSeen && counts(other));
  const sum = writes.length + seen.length + 1;
  return sum <= max
    ? undefined
    : `${name} is let out as number ${sum} in a window that has room for ${max}.`;
}

function counts({ truth, agoTicks }: Pick<Key, 'truth' | 'agoTicks'>): boolean {
  return truth === 'pending' || (truth === 'paid' && agoTicks < windowTicks);
}
