import { batchedGenerationMax, batchStep } from '../../../../src/custody/batch';
import { nowOf } from '../../../write/calling';
import { standIn } from '../../../write/machine/lines';
import { isProofOld } from '../../../write/machine/proof';
import { isOver } from '../../../write/machine/writeState';
import { wasReset } from '../../../write/reset';
import { pathOf } from '../../../write/writes';
import { type Batch, hasMemo, keepBatch, type Line, paymentOf } from '../payments';
import { heldUntilMs, type Shard } from '../shard';
import { chunksOf } from './chunks';

/**
 * Puts the lines into batches, once, when all lines of a batch were looked up. A line's place among
 * all lines of its wallet and token decides its batch, so that a run that starts again makes the
 * same ones. Lines that may have been sent before stay out of them.
 */
export function formBatches(shard: Shard): void {
  for (const [name, lines] of unformed(shard)) {
    if (!isKnown(shard, lines)) continue;
    shard.carried.formed = [...(shard.carried.formed ?? []), name];
    const batched = shard.payments.batchByLine();
    const free = lines.filter((line) => isFresh(shard, line) && !batched.has(line.item));
    makeBatches(shard, free);
  }
  batchMemos(shard);
}

/** Makes a batch of its own of each line with a memo that is in no other one. */
function batchMemos(shard: Shard): void {
  if (shard.opened.order.memo !== true || heldUntilMs(shard) > nowOf(shard)) return;
  const batched = shard.payments.batchByLine();
  const waits = awaitsBatch(shard);
  for (const line of shard.lines) {
    const isFree = !batched.has(line.item) && !waits(line);
    const { generation } = shard.writes.stateOf(line);
    if (isFree && isToBeSent(shard, line) && generation < batchedGenerationMax) {
      makeBatch(shard, [line]);
    }
  }
}

/** The lines whose batches were not made yet, by the name of their batch. */
function unformed(shard: Shard): [string, Line[]][] {
  if (heldUntilMs(shard) > 0) return [];
  const { formed = [] } = shard.carried;
  return chunksOf(shard).filter(([name]) => !formed.includes(name));
}

/** True while a line waits for others of its batch to be looked up. */
export function awaitsBatch(shard: Shard): (line: Line) => boolean {
  const waiting = new Set(unformed(shard).flatMap(([, lines]) => lines.map(({ item }) => item)));
  return ({ item }) => waiting.has(item);
}

/** True once the service's list was read for all of these lines. */
function isKnown(shard: Shard, lines: readonly Line[]): boolean {
  return lines.every((line) => shard.writes.stateOf(line).stage !== 'unseen');
}

/** Batches some lines. Two payments that are alike never share a batch: nobody tells them apart. */
function makeBatches(shard: Shard, lines: readonly Line[]): void {
  const firsts = new Map<string, Line>();
  const alike: Line[] = [];
  for (const line of lines) {
    const payment = `${line.to.toLowerCase()} ${line.amount}`;
    if (firsts.has(payment)) alike.push(line);
    else firsts.set(payment, line);
  }
  makeBatch(shard, [...firsts.values()]);
  if (alike.length > 0) makeBatches(shard, alike);
}

/**
 * Makes a batch of lines that were never sent. A single line makes one only if it has a memo.
 * People approve or reject a line as a write of its own, so it stays out then.
 */
export function makeBatch(shard: Shard, given: readonly Line[]): void {
  const lines = given.filter((line) => !isDecided(shard, line));
  const [first] = lines;
  const isLookedUp = lines.every((line) => isNew(shard, line));
  if (first === undefined || (lines.length === 1 && isPlain(shard, first))) return;
  const payments = lines.map((line) =>
    paymentOf(shard, line, shard.writes.stateOf(line).generation),
  );
  const item = keepBatch(shard, first, payments);
  const states = lines.map((line) => shard.writes.stateOf(line));
  shard.writes.add({ step: batchStep, item }, standIn(states, { isLookedUp, nowMs: Date.now() }));
}

/** True for a line that was never sent, and is to be. */
function isFresh(shard: Shard, line: Line): boolean {
  return isToBeSent(shard, line) && shard.writes.stateOf(line).generation === 0;
}

/** True for a line that is to be sent, and whose present generation never was. */
function isToBeSent(shard: Shard, line: Line): boolean {
  const { stage, tries } = shard.writes.stateOf(line);
  return stage === 'ready' && tries === 'clean' && isStillWanted(shard, line);
}

/** True for a line that has not ended, and that nobody has skipped. */
export function isStillWanted(shard: Shard, line: Line): boolean {
  const state = shard.writes.stateOf(line);
  return !isOver(state) && state.isCancelled !== true;
}

/** True for a fresh line of a new part: its look-up would have shown a batch that pays it. */
function isNew(shard: Shard, line: Line): boolean {
  return shard.opened.earlier.others === 'clean' && !wasReset(shard) && isFresh(shard, line);
}

/** True for a line that goes as a plain transfer where it goes alone. */
function isPlain(shard: Shard, line: Line): boolean {
  return !hasMemo(shard, line) || shard.carried.plain?.includes(line.item) === true;
}

/** Drops a batch. Each of its lines is a write of its own then. */
export function dropBatch({ carried }: Shard, batch: Batch): void {
  const { [batch.item]: _, ...others } = carried.batches ?? {};
  carried.batches = others;
  delete carried.writes[pathOf(batch)];
}

/** Takes out of a batch that was never sent the lines that are to be skipped. */
export function dissolve(shard: Shard, batch: Batch, without: readonly string[]): void {
  dropBatch(shard, batch);
  const left = batch.lineIds.filter((lineId) => !without.includes(lineId));
  const lines = left.flatMap((lineId) => shard.payments.line(lineId) ?? []);
  const wanted = lines.filter((line) => isStillWanted(shard, line));
  makeBatch(shard, wanted);
}

/**
 * Dissolves a batch that was never sent, once the proof is old that lets its lines be sent again.
 * Each line is looked up, and its record has to prove it once more. Returns false for any other
 * batch.
 */
export function leaveUnproven(shard: Shard, batch: Batch): boolean {
  if (shard.writes.stateOf(batch).tries !== 'clean') return false;
  const lines = batch.lineIds.flatMap((lineId) => shard.payments.line(lineId) ?? []);
  const nowMs = Date.now();
  const isOld = (line: Line) => isProofOld(shard.writes.stateOf(line), nowMs, shard.opened);
  if (!lines.some(isOld)) return false;
  dropBatch(shard, batch);
  for (const line of lines) shard.writes.apply(line, { kind: 'lookAgain' });
  return true;
}

/** Takes lines out of batches that were never sent. */
export function leaveUnsent(shard: Shard, lineIds: readonly string[]): void {
  for (const batch of new Set(shard.payments.batchByLine().values())) {
    const { stage, tries } = shard.writes.stateOf(batch);
    const isUnsent = (stage === 'unseen' || stage === 'ready') && tries === 'clean';
    const isNamed = batch.lineIds.some((lineId) => lineIds.includes(lineId));
    if (isUnsent && isNamed) dissolve(shard, batch, lineIds);
  }
}

/** True for a line that people have approved or rejected by itself. */
export function isDecided(shard: Shard, line: Line): boolean {
  const { decisions = [] } = shard.carried.steer.signed ?? {};
  return decisions.some((one) => one.target === shard.writes.targetOf(line));
}
