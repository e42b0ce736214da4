import type { Finding } from '../../src/orders/progress/resolve';
import type { Trace, WriteState } from '../../workflows/write/machine/writeState';
import { foreignId, looked, type Rules, react, told, traceOf, writeOf } from './order';
import {
  isVoid,
  keyLifetimeMs,
  liveOf,
  nowMs,
  type Step,
  type Transaction,
  type World,
} from './world';

/** Things that a person says and asks for, rightly or wrongly. */
export function personSteps(world: World, rules: Rules): Step[] {
  const { write, run } = world;
  if (run !== 'open' || write === undefined) return [];
  const isAsked = rules.scope.answers && rules.machine.isAsking(write);
  return [
    ...(rules.scope.cancels && !write.isCancelled ? [cancelled(world, rules)] : []),
    ...(isAsked ? findings(world, rules) : []),
  ];
}

function cancelled(world: World, rules: Rules): Step {
  const after = react(world, { kind: 'cancel', why: 'asked' }, rules);
  return { words: `Somebody cancels: ${told(after)}.`, world: after, helps: true };
}

/** A record that a person may name. */
export type Named = {
  words: string;
  trace?: Trace;
  faults?: readonly string[];
  isVoid: boolean;
  isForeign: boolean;
};

function findings(world: World, rules: Rules): Step[] {
  const named = [...ours(world), ...foreign(writeOf(world))];
  return [
    ...found(world, rules, { finding: 'noEffect' }),
    ...found(world, rules, { finding: 'skip' }),
    ...named.flatMap((record) => found(world, rules, { finding: 'completed', record })),
    ...named.flatMap((record) => found(world, rules, { finding: 'retry', record })),
    ...found(world, rules, { finding: 'completed', evidence: writeOf(world).paidIn }),
  ];
}

function ours({ transactions }: World): Named[] {
  return transactions.flatMap((one, index) => {
    if (one.isLost) return [];
    const faults = one.isOther ? ['amount is 2, ordered was 1'] : [];
    const named = { trace: traceOf(one, index), faults, isVoid: isVoid(one), isForeign: false };
    return [{ words: `transaction ${index + 1}`, ...named }];
  });
}

/** Wrong records: of another write, with another amount, and without our reference. */
function foreign({ generation }: WriteState): Named[] {
  const without = (state: string): Trace => ({
    generation,
    accepted: { transactionId: foreignId },
    record: { id: foreignId, state, txHash: '0xf' },
  });
  const wrong = { isVoid: false, isForeign: true };
  return [
    { words: 'a record of another write', ...wrong },
    {
      words: 'a record of another amount',
      trace: without('COMPLETE'),
      faults: ['amount'],
      ...wrong,
    },
    { words: 'a payment without our reference', trace: without('COMPLETE'), ...wrong },
    { words: 'a failure without our reference', trace: without('FAILED'), ...wrong },
  ];
}

/** A finding, the record that it names, or the hash that the order shows. */
type Said = {
  finding: Finding['finding'];
  record?: Named;
  evidence?: string | undefined;
};

/** A finding goes through the same checks as in the driver. A refused one changes nothing. */
function found(given: World, rules: Rules, { finding, record, evidence }: Said): Step[] {
  const { machine } = rules;
  // The driver looks the write up once more before it believes that there is no record.
  const world = finding === 'noEffect' && isUnknown(given) ? looked(given, rules).world : given;
  const before = writeOf(world);
  const words = record?.words ?? evidence ?? 'a call';
  const said: Finding = { target: 'transfer/1', finding, evidence: words };
  const { trace, faults = [] } = record ?? {};
  const named = trace === undefined ? {} : { trace, faults };
  const refusal = machine.refusalOf(before, { finding: said, ...named }, { nowMs, keyLifetimeMs });
  if (refusal !== undefined) return [];
  const isMisled = world.isMisled || misleads(world, finding, record);
  const after = react({ ...world, isMisled }, { kind: 'found', finding: said, ...named }, rules);
  const about = words === 'a call' ? '' : `, by ${words}`;
  const helps = evidence !== undefined || isRight(world, finding, record);
  return [{ words: `Somebody says ${finding}${about}: ${told(after)}.`, world: after, helps }];
}

function isUnknown(world: World): boolean {
  return writeOf(world).stage === 'unknown';
}

/**
 * True for three wrong answers that no look-up can refute. The first is that a cancelled write has
 * no effect. Its request may be under way, or its record does not show yet or was lost. The second
 * is that a payment without our reference is this one. The third is that a disputed transaction has
 * moved money.
 */
export function misleads(world: World, finding: Finding['finding'], record?: Named): boolean {
  const { isCancelled, stage } = writeOf(world);
  if (finding === 'noEffect') {
    return isCancelled === true && (mayArrive(world) || world.transactions.some(isHidden));
  }
  if (finding !== 'completed' || record === undefined) return false;
  if (record.isForeign) return true;
  return stage === 'disputed' && !isRight(world, finding, record);
}

export function isRight(world: World, finding: Finding['finding'], record?: Named): boolean {
  if (finding === 'skip') return true;
  if (finding === 'noEffect') return !mayArrive(world) && liveOf(world).length === 0;
  if (record === undefined || record.isForeign) return false;
  if (finding === 'retry') return record.isVoid;
  const one = world.transactions[Number(record.trace?.record?.id)];
  return one?.isMoved === true && !one.isOther;
}

function mayArrive({ strays }: World): boolean {
  return strays.some((count) => count > 0);
}

function isHidden({ isLate, isLost }: Transaction): boolean {
  return isLate || isLost;
}
