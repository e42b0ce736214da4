import { batchedGenerationMax, batchStep } from '../../../src/custody/batch';
import { shareOf } from '../../../src/custody/objects/amount';
import { finalState } from '../../../src/custody/objects/state';
import { nowOf } from '../../write/calling';
import { standIn } from '../../write/machine/machine';
import { isOver, type WriteState } from '../../write/machine/writeState';
import { wasReset } from '../../write/reset';
import { pathOf } from '../../write/writes';
import {
  type Batch,
  chunksOf,
  hasMemo,
  itemOf,
  type Line,
  lineIdsOf,
  type Payment,
  paymentOf,
} from './payments';
import { giveWallet, type Shard } from './shard';
import { isDecided } from './signatures';

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

/**
 * The moment until which a run that was reset sends no line alone: a batch that it has forgotten
 * may be under way. It makes no batches itself.
 */
export function heldUntilMs(shard: Shard): number {
  const { batchesFrom = [], lookupGraceMs } = shard.opened;
  const { doubtedAtMs } = shard.carried;
  return batchesFrom.length === 0 || doubtedAtMs === undefined ? 0 : doubtedAtMs + lookupGraceMs;
}

/** When a payment may be looked up first, since requests of an ended run may be under way. */
export function lookUpFromMs(shard: Shard, payment: Payment): number {
  const { heldBack } = shard.carried;
  const isHeld = lineIdsOf(payment).some((item) => heldBack?.items.includes(item));
  return Math.max(heldUntilMs(shard), isHeld ? (heldBack?.untilMs ?? 0) : 0);
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
function makeBatch(shard: Shard, given: readonly Line[]): void {
  const lines = given.filter((line) => !isDecided(shard, line));
  const [first] = lines;
  if (first === undefined || (lines.length === 1 && isPlain(shard, first))) return;
  const payments = lines.map((line) =>
    paymentOf(shard, line, shard.writes.stateOf(line).generation),
  );
  const item = keepBatch(shard, first, payments);
  const isLookedUp = lines.every((line) => isNew(shard, line));
  const states = lines.map((line) => shard.writes.stateOf(line));
  shard.writes.add({ step: batchStep, item }, standIn(states, { isLookedUp, nowMs: Date.now() }));
}

/** True for a line that was never sent, and is to be. */
function isFresh(shard: Shard, line: Line): boolean {
  return isToBeSent(shard, line) && shard.writes.stateOf(line).generation === 0;
}

/** True for a line that is to be sent, and whose present generation never was. */
function isToBeSent(shard: Shard, line: Line): boolean {
  const { stage, tries, isCancelled } = shard.writes.stateOf(line);
  return stage === 'ready' && tries === 'clean' && isCancelled !== true;
}

/** True for a fresh line of a new part: its look-up would have shown a batch that pays it. */
function isNew(shard: Shard, line: Line): boolean {
  return shard.opened.earlier.others === 'clean' && !wasReset(shard) && isFresh(shard, line);
}

/** True for a line that goes as a plain transfer where it goes alone. */
function isPlain(shard: Shard, line: Line): boolean {
  return !hasMemo(shard, line) || shard.carried.plain?.includes(line.item) === true;
}

/** Keeps a batch that stands for its lines. Returns its item. */
export function keepBatch(
  shard: Shard,
  of: Pick<Line, 'wallet' | 'token'>,
  payments: Batch['payments'],
): string {
  const item = itemOf(of, payments);
  const batch = { wallet: of.wallet, token: of.token.name, payments };
  shard.carried.batches = { ...shard.carried.batches, [item]: batch };
  return item;
}

/** Drops a batch. Each of its lines is a write of its own then. */
function dropBatch({ carried }: Shard, batch: Batch): void {
  const { [batch.item]: _, ...others } = carried.batches ?? {};
  carried.batches = others;
  delete carried.writes[pathOf(batch)];
}

/**
 * Ends the lines of a batch as the batch has ended. A batch that had no effect is split into
 * halves, which finds the line that was the reason. Where a record proves it, the lines go on as
 * their next generation. Where the batch was refused, they keep theirs.
 */
export function spread(shard: Shard, batch: Batch, state: WriteState): void {
  const { stage, record } = state;
  // A person has stopped a cancelled one, so that nothing of it goes on by itself.
  const isStopped = record !== undefined && finalState(record.state) === 'CANCELLED';
  const hadNoEffect = stage === 'refused' || (stage === 'failed' && !isStopped);
  const isHalved = hadNoEffect && batch.payments.length > 1;
  dropBatch(shard, batch);
  if (isHalved) {
    halve(shard, batch, state);
    return;
  }
  const of = batch.payments.length;
  for (const [at, { line: named }] of batch.payments.entries()) {
    const line = named && shard.payments.line(named.lineId);
    if (named === undefined || line === undefined) continue;
    const networkFee = shareOf(record?.networkFee, { at, of, decimals: coinDecimals });
    const own = { ...state, record: record && { ...record, networkFee } };
    endLine(shard, line, { batch, at, state: own, generation: named.generation });
  }
}

const coinDecimals = 18;

type Ended = { batch: Batch; at: number; state: WriteState; generation: number };

/** Ends one line as its batch has ended. */
function endLine(shard: Shard, line: Line, { batch, at, state, generation }: Ended): void {
  const unpaid = batch.unpaid?.find((one) => one.at === at);
  const failedAlone = unpaid && aloneWords(unpaid.reason);
  shard.carried.batchOf ??= {};
  shard.carried.batchOf[line.item] = batch.item;
  const before = shard.writes.stateOf(line);
  const after = shard.writes.apply(line, {
    kind: 'endedIn',
    batch: state,
    generation,
    failedAlone,
  });
  shard.changed?.(line, before, after);
}

function aloneWords(reason = ''): string {
  const why = reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`;
  return `Its payment failed alone, and the others of its batch were paid${why}.`;
}

/** Two batches in the place of one that had no effect. A single line goes on by itself. */
function halve(shard: Shard, batch: Batch, { stage }: WriteState): void {
  const lines = batch.payments.flatMap(({ line: named }) => {
    const line = named && shard.payments.line(named.lineId);
    // A line that was skipped or given up before is not sent.
    const isOut = line === undefined || isOver(shard.writes.stateOf(line));
    return isOut || named === undefined ? [] : [{ line, ...named }];
  });
  for (const { line, generation } of lines) {
    if (stage === 'refused') continue;
    const next = { generation: generation + 1, isProven: true };
    giveWallet(shard, line, shard.writes.apply(line, { kind: 'again', ...next }));
  }
  // Lines that another wallet was to pay go on one by one, each from its own.
  if (lines.some(({ line }) => line.wallet.walletId !== batch.wallet.walletId)) return;
  const middle = Math.ceil(lines.length / 2);
  for (const half of [lines.slice(0, middle), lines.slice(middle)]) {
    const isBatch = half.every(({ generation }) => generation < batchedGenerationMax);
    const halved = half.flatMap(({ line }) => (shard.writes.stateOf(line).isCancelled ? [] : line));
    if (isBatch) makeBatch(shard, halved);
  }
}

/** Takes out of a batch that was never sent the lines that are to be skipped. */
export function dissolve(shard: Shard, batch: Batch, without: readonly string[]): void {
  dropBatch(shard, batch);
  const left = batch.lineIds.filter((lineId) => !without.includes(lineId));
  const lines = left.flatMap((lineId) => shard.payments.line(lineId) ?? []);
  makeBatch(shard, lines);
}
