import type { ReceiptAnswer } from '../../activities/chain/receipt';
import type {
  AttemptOutcome,
  FinalRecord,
  Happening,
  Trace,
  WriteState,
} from '../../workflows/write/machine/writeState';
import { deliver, strayed } from './service';
import {
  carried,
  graceMs,
  keyLifetimeMs,
  type Machine,
  nowMs,
  type Scope,
  type Step,
  type Transaction,
  type World,
  writerWaited,
} from './world';

export type Rules = {
  machine: Machine;
  scope: Scope;
  /** Answers of the machine that are known: it is pure, so that each question is asked once. */
  answers: Map<WriteState, Map<string, WriteState>>;
  /** Hears of each transition of the machine. */
  hears?: (world: World, happening: Happening, after: WriteState) => void;
};

/** A record without our reference, of a payment that somebody made by hand. */
export const foreignId = 'by hand';

/** Steps of a write's driver: look up, send, watch, read the receipt. */
export function orderSteps(world: World, rules: Rules): Step[] {
  const { write } = world;
  if (world.run !== 'open' || write === undefined) return [];
  if (write.stage === 'sending') return attempts(world, write, rules);
  const { want } = rules.machine.wishOf(writeOf(world));
  if (want === 'lookUp')
    return [{ ...looked(world, rules), helps: true }, ...garbled(world, rules)];
  if (want === 'watch') return watched(world, rules);
  if (want === 'receipt') return receipts(world, rules);
  if (want === 'nothing') return [];
  const after = react(world, { kind: 'sending' }, rules);
  const words = `The write is to be sent: ${told(after)}.`;
  return [{ words, world: after, helps: true }];
}

/** The write after something has happened. The run closes with an end of its write. */
export function react(world: World, happening: Happening, rules: Rules): World {
  const given = writeOf(world);
  // A run that was reset says so before each event.
  const before = world.isDoubtful ? answerOf(given, { kind: 'forgot' }, rules) : given;
  const write = answerOf(before, happening, rules);
  if (before !== given) rules.hears?.(world, { kind: 'forgot' }, before);
  rules.hears?.({ ...world, write: before }, happening, write);
  if (write === given) return world;
  const open = { ...world, write, known: withGeneration(world.known, write) };
  return rules.machine.isOver(write) ? closed(open, rules.machine) : open;
}

function answerOf(before: WriteState, happening: Happening, rules: Rules): WriteState {
  const { machine, scope, answers } = rules;
  const known = answers.get(before) ?? new Map<string, WriteState>();
  answers.set(before, known);
  const question = JSON.stringify(happening);
  const answer = known.get(question);
  if (answer !== undefined) return answer;
  const terms = { lookupGraceMs: graceMs, keyLifetimeMs, checksReceipts: scope.lies };
  const after = carried(machine.next(before, { ...happening, nowMs }, terms));
  known.set(question, after);
  return after;
}

/** A new generation is written into the memo of the run, which Temporal keeps. */
function withGeneration(known: World['known'], { generation }: WriteState): World['known'] {
  return generation > known.generation ? { ...known, generation } : known;
}

function closed(world: World, { loggedAs }: Machine): World {
  const { known, isDoubtful, orderGeneration } = world;
  const { stage, generation } = writeOf(world);
  const after = { ...world, run: 'closed' as const, closedAge: 0 };
  if (stage === 'completed') return { ...after, known: { ...known, isCompleted: true } };
  const isLogless = known.isLogless || isDoubtful;
  const log = known.log.map((before, at) => {
    if (isLogless || at !== generation || before === 'ambiguous') return before;
    return loggedAs(writeOf(world));
  });
  const cancelledAt =
    stage === 'stopped' ? Math.max(known.cancelledAt, orderGeneration) : known.cancelledAt;
  return { ...after, known: { ...known, isLogless, log, cancelledAt } };
}

export function looked(world: World, rules: Rules): { words: string; world: World } {
  const shown = world.transactions.filter(({ isListed }) => isListed);
  const traces = world.transactions.flatMap((one, at) => (one.isListed ? [traceOf(one, at)] : []));
  const seen = traces.length;
  const after = react(world, { kind: 'looked', askedAtMs: nowMs, traces, seen }, rules);
  const list = shown.map(({ generation, state }) => `#${generation} ${state}`).join(', ');
  return { words: `A look-up shows ${list || 'nothing'}: ${told(after)}.`, world: after };
}

/** A service that loses records may garble them as well, and nobody depends on that. */
function garbled(world: World, rules: Rules): Step[] {
  if (!rules.scope.loses) return [];
  const after = react(world, { kind: 'unread', fault: 'garbled' }, rules);
  return [{ words: `Nobody can read it: ${told(after)}.`, world: after, helps: false }];
}

export function traceOf(one: Transaction, index: number): Trace {
  const record = recordOf(one, index);
  return { generation: one.generation, accepted: { transactionId: record.id }, record };
}

export function recordOf(one: Transaction, index: number): FinalRecord {
  const record = { id: String(index), state: one.state, refId: `#${one.generation}` };
  const isOnChain =
    one.isUnnamed !== true && (one.isMoved || one.state === 'FAILED' || one.state === 'COMPLETE');
  return isOnChain ? { ...record, txHash: `0x${index}` } : record;
}

function attempts(world: World, write: WriteState, rules: Rules): Step[] {
  const { machine, scope } = rules;
  const { generation, tries, bornAtMs = nowMs } = write;
  const steps: Step[] = [];
  const answered = (words: string, answer: AttemptOutcome, reached: World = world) => {
    const after = react({ ...reached, isOfOldRun: false }, { kind: 'answered', answer }, rules);
    steps.push({ words: `${words}: ${told(after)}.`, world: after, helps: true });
  };
  const isDoubted = tries === 'ambiguous';
  const ambiguous: AttemptOutcome = { kind: 'Again', why: 'ambiguous', isAmbiguous: true };
  if (world.isOfOldRun) {
    answered('The attempt of the run before the reset is not made', ambiguous);
    return steps;
  }
  const { lookedUpAtMs = nowMs } = write;
  const asked = { parts: { step: 'transfer' }, earlierTries: tries, bornAtMs, baseUrl: '' };
  const lookedUpAgoMs = nowMs - lookedUpAtMs;
  const outdated = machine.outdatedWords({ ...asked, lookedUpAgoMs }, writerWaited);
  if (outdated !== undefined) {
    const again: AttemptOutcome = { kind: 'Outdated', why: outdated, isAmbiguous: isDoubted };
    answered('The writer has begun since the look-up', again);
    answered('The attempt is lost with its worker', ambiguous);
    return steps;
  }
  const refusal = machine.sendRefusal(asked, { baseUrl: '', keyLifetimeMs, nowMs });
  if (refusal !== undefined) {
    const why = refusal.words.join(' ');
    const answer: AttemptOutcome = { kind: refusal.type, why, isAmbiguous: isDoubted };
    answered('The activity does not send under an old key', answer);
    return steps;
  }
  const name = `Attempt #${generation}`;
  const unsent: AttemptOutcome = { kind: 'Again', why: 'not sent', isAmbiguous: isDoubted };
  const refused: AttemptOutcome = { kind: 'Refused', why: 'refused', isAmbiguous: isDoubted };
  const { world: reached, index } = deliver(world, generation);
  const transactionId = String(index);
  answered(`${name} is not sent`, unsent);
  answered(`${name} is refused`, refused);
  answered(`${name} is lost before it arrives`, ambiguous);
  answered(`${name} is not accepted, since its key is used`, { ...ambiguous, kind: 'Unknown' });
  answered(
    `${name} is accepted`,
    { kind: 'accepted', accepted: { transactionId }, transactionId },
    reached,
  );
  answered(`${name} is accepted, and the answer is lost`, ambiguous, reached);
  if (mayStray(world, scope)) {
    answered(`${name} is late, and counts as ambiguous`, ambiguous, strayed(world, generation, 1));
  }
  return steps;
}

/** True while one more copy of a request may be under way. */
export function mayStray({ strays }: World, scope: Scope): boolean {
  return strays.reduce((sum, count) => sum + count, 0) < scope.strays;
}

function watched(world: World, rules: Rules): Step[] {
  const { transactionId = '' } = writeOf(world);
  const one = world.transactions[Number(transactionId)];
  if (one?.isLost) {
    const after = react(world, { kind: 'lost' }, rules);
    const lost = { words: `The service does not know it: ${told(after)}.`, world: after };
    return [{ ...lost, helps: true }, ...garbled(world, rules)];
  }
  const record =
    one === undefined
      ? { id: foreignId, state: 'COMPLETE', txHash: '0xf' }
      : recordOf(one, Number(transactionId));
  const faults = one?.isOther ? ['amount is 2, ordered was 1'] : [];
  const after = react(world, { kind: 'record', record, faults }, rules);
  const words = `The record says ${record.state}: ${told(after)}.`;
  return [{ words, world: after, helps: true }];
}

function receipts(world: World, rules: Rules): Step[] {
  const { record, paidIn } = writeOf(world);
  const one = world.transactions[Number(record?.id)];
  // A node may lack later what it has shown.
  const lacking = one?.isShown && paidIn !== undefined ? [absent] : [];
  return [...answersOf(one), ...lacking].map(([words, receipt, askedAtMs = nowMs]) => {
    const asked = { transactionId: record?.id, askedAtMs };
    const after = react(world, { kind: 'receipt', receipt, ...asked }, rules);
    return { words: `The chain shows ${words}: ${told(after)}.`, world: after, helps: true };
  });
}

type ChainAnswer = readonly [words: string, receipt: ReceiptAnswer, askedAtMs?: number];

const absent: ChainAnswer = ['nothing of it', { found: 'absent', faults: [] }];
const lateAbsent: ChainAnswer = ['nothing of it, in a late answer', absent[1], nowMs - graceMs];
const pending: ChainAnswer = [
  'its nonce still unused',
  { found: 'absent', faults: [], replaced: false },
];
const replaced: ChainAnswer = [
  'its nonce used by another one',
  { found: 'absent', faults: [], replaced: true },
];
const success: ChainAnswer = ['the payment', { found: 'success', faults: [] }];
const reverted: ChainAnswer = ['a revert', { found: 'reverted', faults: [] }];
const otherEffect: ChainAnswer = ['another effect', { found: 'success', faults: ['amount'] }];

/** The chain lags behind by less than a grace period. Its answer may come later than it shows. */
export function answersOf(one: Transaction | undefined): readonly ChainAnswer[] {
  if (one === undefined) return [success];
  if (one.isMoved) return one.isShown ? [success, lateAbsent] : [absent, pending, success];
  if (one.mayMove === true) return [absent, pending];
  return one.state === 'COMPLETE'
    ? [absent, reverted, otherEffect]
    : [absent, pending, replaced, reverted, otherEffect];
}

export function writeOf({ write }: World): WriteState {
  if (write === undefined) throw new Error('No run of the write has begun.');
  return write;
}

export function told({ write }: Pick<World, 'write'>): string {
  if (write === undefined) return 'the run has no write';
  const { stage, generation, tries } = write;
  return `the write #${generation} is ${stage}${tries === 'ambiguous' ? ' (ambiguous)' : ''}`;
}
