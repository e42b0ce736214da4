import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import type { FoundLines } from '../../../activities/payout/findLines';
import { lineIdsOf, type Payment } from '../../../workflows/payout/shard/payments';
import type { Shard } from '../../../workflows/payout/shard/shard';
import type { Answer } from '../../../workflows/write/machine/writeState';
import { pathOf } from '../../../workflows/write/writes';
import { nowMs, writerWaited } from '../world';
import { type Parts, requestOf } from './part';
import { tokenAddress, walletId } from './partOrder';
import { interruptions } from './runSteps';
import { deliver } from './serviceSteps';
import {
  type BatchStep,
  type BatchWorld,
  type OpenedPart,
  type Record,
  underWay,
  wordsOf,
} from './world';

/** Things that a running part does: look up, send, watch, read receipts, end. */
export function partSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (run !== 'open' || part === undefined) return [];
  const shard = parts.shardOf(part);
  const turn = { part, parts, shard };
  return [
    ...lookUps(world, turn),
    ...goesOnSending(world, turn),
    ...sends(world, turn),
    ...polls(world, turn),
    ...ends(world, turn),
  ];
}

export type Turn = { part: OpenedPart; parts: Parts; shard: Shard };

/** One look-up of all that is due. */
function lookUps(world: BatchWorld, turn: Turn): BatchStep[] {
  const { machine } = turn.parts;
  const due = turn.shard.payments.wanting('lookUp').filter((one) => {
    const { atMs } = machine.wishOf(turn.shard.writes.stateOf(one));
    return Math.max(atMs, machine.lookUpFromMs(turn.shard, one)) <= nowMs;
  });
  if (due.length === 0) return [];
  const part = looked(world, turn, due);
  return [{ words: `A look-up: ${part.told}.`, world: { ...world, part }, helps: true }];
}

/** The part after a look-up of some payments. */
export function looked(world: BatchWorld, turn: Turn, due: readonly Payment[]): OpenedPart {
  const { parts, part } = turn;
  const found = foundIn(world, due, parts);
  const items = due.map(({ item }) => item);
  return parts.after(part, `look up ${items} ${JSON.stringify(found)}`, (shard) => {
    const own = shard.payments.all().filter(({ item }) => items.includes(item));
    parts.machine.hearLookUp(shard, own, { ...found, askedAtMs: nowMs });
  });
}

/** The service's answer to a look-up of some payments. Only their own lines have names. */
function foundIn({ records }: BatchWorld, due: readonly Payment[], parts: Parts): FoundLines {
  const searched = new Set(due.flatMap(lineIdsOf));
  const found: Required<Omit<FoundLines, 'unread' | 'proven'>> = {
    seen: 0,
    traces: [],
    batches: [],
  };
  for (const [id, record] of records.entries()) {
    const { generation, path, isListed } = record;
    const [step, item = ''] = path.split('/');
    if (!isListed) continue;
    found.seen += 1;
    const shown = { generation, record: recordOf(record, id) };
    if (step === 'line' && searched.has(item)) found.traces.push({ lineId: item, ...shown });
    if (step === 'line') continue;
    const payments = parts.paymentsOf(record.pays, searched);
    const isOwn = payments.some(({ line }) => line);
    if (isOwn) found.batches.push({ item, tokenAddress, ...shown, payments });
  }
  return found;
}

/** Every record is older than the grace period, so that nobody waits for a stranger's. */
const createDate = new Date(0).toISOString();

/** The record as the list shows it. */
export function recordOf({ state, pays, isLoose }: Record, id: number) {
  const isOnChain = state === 'COMPLETE' || state === 'FAILED';
  const known = { id: String(id), state, walletId, blockchain: 'ARC-TESTNET', createDate };
  return isOnChain ? { ...known, txHash: `0x${id}${isLoose ? '' : pays.length}` } : known;
}

/** Payments of a smart account follow one another. */
function sends(world: BatchWorld, { part, parts, shard }: Turn): BatchStep[] {
  const { machine, scope } = parts;
  if (shard.carried.cancelAsked) return [];
  const open = shard.payments.at('sending', 'accepted');
  const moving = open.filter((one) => shard.writes.stateOf(one).record === undefined);
  if (scope.accountType === 'SCA' && moving.length > 0) return [];
  return machine.sendable(shard).flatMap((one) => {
    const sending = heard(parts, part, { one, happening: { kind: 'sending' } });
    const reached = { ...world, part: sending };
    const turn = { part: sending, parts, shard: parts.shardOf(sending) };
    // A run that was reset looks up first.
    const isSending = turn.shard.payments.at('sending').some(({ item }) => item === one.item);
    if (!isSending) {
      const words = `It is to be sent: ${sending.told}.`;
      return [{ words, world: reached, helps: true }];
    }
    const ends = interruptions(reached, parts).map((step) => {
      const words = `While ${wordsOf(requestOf(shard, one))} is sent: ${step.words}`;
      return { ...step, words };
    });
    return [...attempts(reached, turn, one), ...ends];
  });
}

/** A run goes on with what it was about to send, also one that was reset to that point. */
function goesOnSending(world: BatchWorld, turn: Turn): BatchStep[] {
  const { part, parts, shard } = turn;
  return shard.payments.at('sending').flatMap((one) => {
    const answer = parts.machine.answerAfterReset(shard, one);
    if (answer === undefined) return attempts(world, turn, one);
    const after = heard(parts, part, { one, happening: { kind: 'answered', answer } });
    const words = `The reset run does not send ${wordsOf(requestOf(shard, one))}`;
    return [{ words: `${words}: ${after.told}.`, world: { ...world, part: after }, helps: true }];
  });
}

type Happening = Parameters<Shard['writes']['hear']>[1];

/** The part after something has happened to one of its payments. */
export function heard(
  parts: Parts,
  part: OpenedPart,
  { one, happening }: { one: Payment; happening: Happening },
): OpenedPart {
  const path = pathOf(one);
  return parts.after(part, `${path} ${JSON.stringify(happening)}`, (shard) => {
    const own = paymentIn(shard, one);
    if (own !== undefined) shard.writes.hear(own, happening);
  });
}

function paymentIn(shard: Shard, one: Payment): Payment | undefined {
  return shard.payments.all().find((other) => pathOf(other) === pathOf(one));
}

function attempts(world: BatchWorld, { part, parts, shard }: Turn, one: Payment): BatchStep[] {
  const { scope } = parts;
  const { tries, lookedUpAtMs = nowMs } = shard.writes.stateOf(one);
  const request = requestOf(shard, one);
  const name = `The attempt at ${wordsOf(request)}`;
  const isDoubted = tries === 'ambiguous';
  const step = (words: string, answer: Answer, reached: BatchWorld = world): BatchStep => {
    const after = heard(parts, part, { one, happening: { kind: 'answered', answer } });
    return {
      words: `${name} ${words}: ${after.told}.`,
      world: { ...reached, part: after },
      helps: true,
    };
  };
  const again: Answer = { kind: 'Again', why: 'ambiguous', isAmbiguous: true };
  const asked = { parts: one, lookedUpAgoMs: nowMs - lookedUpAtMs };
  const why = parts.machine.outdatedWords(asked, writerWaited);
  if (why !== undefined) {
    const outdated: Answer = { kind: 'Outdated', why, isAmbiguous: isDoubted };
    return [step('is outdated', outdated), step('is lost with its worker', again)];
  }
  const { world: reached, id: transactionId } = deliver(world, request, parts);
  const accepted: Answer = { kind: 'accepted', accepted: { transactionId }, transactionId };
  const late = underWay(world, request, scope);
  return [
    step('is accepted', accepted, reached),
    ...(scope.loses ? [step('is accepted, and the answer is lost', again, reached)] : []),
    ...(scope.loses && !isDoubted ? [step('is lost', again)] : []),
    ...(scope.refuses
      ? [step('is refused', { kind: 'Refused', why: 'refused', isAmbiguous: isDoubted })]
      : []),
    ...late.map((after) => step('is late', again, after)),
  ];
}

/** Reads the records that are final by now, and their receipts. */
function polls(world: BatchWorld, { part, parts, shard }: Turn): BatchStep[] {
  return shard.payments.at('accepted', 'disputed').flatMap((one) => {
    const id = Number(shard.writes.stateOf(one).transactionId);
    const record = world.records[id];
    if (record === undefined || record.state === 'PENDING') return [];
    const event = { kind: 'record', record: recordOf(record, id), faults: [] } as const;
    const read = shard.writes.stateOf(one).record
      ? part
      : heard(parts, part, { one, happening: event });
    const receipt = receiptOf(record, parts);
    const after = parts.after(read, `${pathOf(one)} ${JSON.stringify(receipt)}`, (own) => {
      const payment = paymentIn(own, one);
      if (payment !== undefined)
        parts.machine.hearReceipt(own, payment, { receipt, askedAtMs: nowMs });
    });
    const name = wordsOf(requestOf(shard, one));
    const words = `The record of ${name} is ${record.state}, on the chain it is ${receipt.found}`;
    return [{ words: `${words}: ${after.told}.`, world: { ...world, part: after }, helps: true }];
  });
}

/** Each payment is proven by a log that no payment before it has claimed. */
function receiptOf({ state, pays, paid, isLoose }: Record, { scope }: Parts): ReceiptAnswer {
  const faults: string[] = [];
  if (paid.length === 0) {
    const isAbsent = isLoose || state === 'COMPLETE';
    return { found: isAbsent ? 'absent' : 'reverted', faults };
  }
  const letters = paid.map((line) => scope.lines[line]);
  const unpaid = pays.flatMap(([line], at) => {
    const log = letters.indexOf(scope.lines[line]);
    if (log < 0) return [{ at }];
    letters.splice(log, 1);
    return [];
  });
  return { found: 'success', faults, ...(unpaid.length > 0 ? { unpaid } : {}) };
}

/** A part ends when each of its lines has. */
function ends(world: BatchWorld, { part, shard }: Turn): BatchStep[] {
  const open = shard.payments
    .at('unseen', 'ready', 'sending', 'doubt', 'unknown', 'accepted')
    .concat(shard.payments.at('disputed'));
  if (open.length > 0) return [];
  const ended = { ...world, run: 'closed', isDone: true, isTold: true, isLongOver: false } as const;
  const words = `The part ends: ${linesIn(part)}.`;
  return [{ words, world: { ...ended, kept: undefined }, helps: true }];
}

function linesIn({ results }: OpenedPart): string {
  return results.map(({ outcome }, line) => `line ${line + 1} ${outcome}`).join(', ');
}
