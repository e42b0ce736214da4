import type { FoundBatch, FoundLines } from '../../../../activities/payout/findLines';
import { claimsNoEffect } from '../../../../src/custody/objects/finalWord';
import { sameText } from '../../../../src/custody/objects/sameText';
import type { IndexedRecord } from '../../../../src/store/index/records';
import { type Batch, type Line, lineIdsOf, type Payment, payFrom, paymentOf } from '../payments';
import { heldUntilMs, type Shard } from '../shard';
import { dissolve } from './batches';
import { keepFound } from './keepFound';

/**
 * Compares what is due with the batches that a look-up shows. A line that such a batch pays belongs
 * to it from then on, whoever has put it together. Returns the payments whose own traces count.
 */
export function adopt(shard: Shard, due: readonly Payment[], found: FoundLines): Payment[] {
  // A batch may be gone by now: the service was asked meanwhile.
  const standing = new Set(shard.payments.batches().map(({ item }) => item));
  const paid = due.flatMap((one) => {
    if (one.step === 'line') return one;
    return standing.has(one.item) ? leavers(shard, one, found) : [];
  });
  const known = new Set(shard.payments.batches().map(({ item }) => item));
  const unread = unreadOf(shard, found);
  const nowMs = Date.now();
  const counting: Payment[] = due.filter(
    (one) => one.step === 'batch' && known.has(one.item) && lookUpFromMs(shard, one) <= nowMs,
  );
  const members = new Map<FoundBatch, Line[]>();
  for (const line of paid) {
    const [batch, ...others] = batchesWith(shard, line, found);
    if (batch === undefined) {
      const words = 'nobody can tell which lines it pays';
      if (unread !== undefined) dispute(shard, line, { record: unread, generation: 0, words });
      else counting.push(line);
      continue;
    }
    const words = others.length > 0 ? twice(others) : differenceOf(shard, line, batch);
    if (words === undefined) payFrom(shard, line, { ...named(batch, line), record: batch.record });
    if (words !== undefined) dispute(shard, line, { ...batch, ...named(batch, line), words });
    else members.set(batch, [...(members.get(batch) ?? []), line]);
  }
  for (const [batch, lines] of members) counting.push(...keepFound(shard, batch, { lines, found }));
  return counting;
}

/**
 * Takes out of a batch that the list does not show, or that was never sent, the lines that the list
 * shows as paid otherwise. A batch that may be under way keeps all of them if its transaction is
 * known. An earlier attempt takes them, and a later one leaves the others, only once it would show.
 */
function leavers(shard: Shard, batch: Batch, found: FoundLines): Line[] {
  const { stage, tries, transactionId } = shard.writes.stateOf(batch);
  const { strangers = [], untilMs = 0 } = shard.carried.heldBack ?? {};
  const hasWaited = strangers.includes(batch.item) && untilMs <= Date.now();
  const isUnderWay = tries !== 'clean' && !hasWaited;
  const batches = found.batches?.filter(({ item }) => item !== batch.item) ?? [];
  const isListed = batches.length < (found.batches?.length ?? 0);
  if (stage !== 'unseen' || transactionId !== undefined || (isUnderWay && isListed)) return [];
  const lines = batch.lineIds.flatMap((lineId) => shard.payments.line(lineId) ?? []);
  const isIn = (line: Line, others: FoundBatch[]): boolean =>
    batchesWith(shard, line, { ...found, batches: others }).length > 0;
  const out = lines.filter((line) => {
    const { generation } = shard.writes.stateOf(line);
    const isAlone = found.traces.some(
      (trace) => trace.lineId === line.item && trace.generation >= generation,
    );
    const isProven = found.proven?.[line.item] !== undefined;
    const isLater = (other: FoundBatch): boolean => named(other, line).generation >= generation;
    return isAlone || isProven || isIn(line, isUnderWay ? batches.filter(isLater) : batches);
  });
  const waitMs = Date.now() + shard.opened.lookupGraceMs;
  if (out.length === 0) {
    // An earlier attempt may have paid them, too.
    if (isUnderWay && lines.some((line) => isIn(line, batches)))
      holdBack(shard, lines, { untilMs: waitMs, strangers: [...strangers, batch.item] });
    return [];
  }
  const left = lines.filter((line) => !out.includes(line));
  for (const line of isUnderWay ? lines : out) shard.writes.apply(line, { kind: 'lookAgain' });
  dissolve(
    shard,
    batch,
    out.map(({ item }) => item),
  );
  if (isUnderWay) holdBack(shard, left, { untilMs: waitMs });
  return out;
}

/**
 * The batches that may pay a line. A batch that may have had an effect counts, however old it is:
 * the oldest attempt comes first. Without one, the batch of the latest attempt counts. The attempt
 * before the present one is the latest while nothing proves that it had no effect, and the present
 * one has no transaction. None if the line was sent alone since.
 */
function batchesWith(shard: Shard, line: Line, { traces, batches = [] }: FoundLines): FoundBatch[] {
  const unpaidIn = shard.carried.unpaidIn?.[line.item] ?? [];
  const own = batches.filter(
    ({ item, payments }) =>
      payments.some((payment) => payment.line?.lineId === line.item) && !unpaidIn.includes(item),
  );
  const attemptOf = (batch: FoundBatch): number => named(batch, line).generation;
  const effective = own.filter(({ record }) => !claimsNoEffect(record));
  if (effective.length > 0) {
    const oldest = Math.min(...effective.map(attemptOf));
    return [...new Map(effective.filter((one) => attemptOf(one) === oldest).map(byItem)).values()];
  }
  const { generation, isProven, transactionId } = shard.writes.stateOf(line);
  const isLatest = generation === 0 || isProven === true || transactionId !== undefined;
  const alone = traces.filter(({ lineId }) => lineId === line.item);
  const latest = Math.max(
    isLatest ? generation : generation - 1,
    ...alone.map((trace) => trace.generation),
    ...own.map(attemptOf),
  );
  if (alone.some((trace) => trace.generation === latest)) return [];
  return own.filter((batch) => attemptOf(batch) === latest).slice(-1);
}

function byItem(batch: FoundBatch): [string, FoundBatch] {
  return [batch.item, batch];
}

/**
 * A record with the reference of a batch that nobody can read, and that this run has not sent. It
 * may pay any line of the payout, from whichever wallet.
 */
function unreadOf(shard: Shard, { unread = [] }: FoundLines): IndexedRecord | undefined {
  const own = ownIds(shard);
  return unread.find(({ id }) => !own.has(id));
}

/** The transactions of this run: of its writes, and of batches that had no effect. */
function ownIds({ carried }: Shard): Set<string | undefined> {
  const ids = Object.values(carried.writes).map(({ transactionId }) => transactionId);
  return new Set([...ids, ...(carried.voidIds ?? [])]);
}

/** The attempt at a line that a batch carries. */
function named({ payments }: FoundBatch, { item }: Line): { generation: number } {
  const payment = payments.find(({ line }) => line?.lineId === item);
  return { generation: payment?.line?.generation ?? 0 };
}

function twice(others: readonly FoundBatch[]): string {
  const ids = others.map(({ record }) => record.id).join(' and ');
  return `${ids} may have paid the same line`;
}

/** The difference between a batch and the line that it pays, in words. Undefined if none. */
function differenceOf(shard: Shard, line: Line, batch: FoundBatch): string | undefined {
  const { tokenAddress, payments } = batch;
  const { item, token } = line;
  const paid = payments.find((one) => one.line?.lineId === item);
  const ordered = paymentOf(shard, line, named(batch, line).generation);
  const isSame =
    sameText(paid?.to, ordered.to) &&
    paid?.baseUnits === ordered.baseUnits &&
    sameText(tokenAddress, token.address);
  if (isSame) return undefined;
  const [shown, wanted] = [paid, ordered].map(
    (one) => `${one?.baseUnits} base units to ${one?.to}`,
  );
  return `it pays ${shown} of ${tokenAddress} for ${item}, ordered was ${wanted} of ${token.name}`;
}

/**
 * A contradiction about a line: it is never sent, and a person is asked. It is looked up again, and
 * not watched, since the transaction is not its own.
 */
function dispute(
  shard: Shard,
  line: Line,
  { record, generation, words }: { record: IndexedRecord; generation: number; words: string },
): void {
  const state = shard.writes.stateOf(line);
  if (state.stage !== 'disputed') {
    const latest = Math.max(generation, state.generation);
    const trace = { generation: latest, accepted: { transactionId: record.id } };
    shard.writes.hear(line, { kind: 'looked', askedAtMs: Date.now(), seen: 1, traces: [trace] });
  }
  shard.writes.hear(line, { kind: 'record', record, faults: [words] });
}

/**
 * A record of this part that this run has not sent is the trace of another run that Temporal has
 * forgotten. More of it may be under way: the age of what the list shows says nothing of what it
 * does not show yet. So every line without a trace waits for the grace period, once for each such
 * record. Returns true while they wait.
 */
export function holdForStrangers(shard: Shard, found: FoundLines): boolean {
  const { carried, opened, lines } = shard;
  const nowMs = Date.now();
  const known = ownIds(shard);
  const isSure = (attempt: { lineId: string; generation: number }): boolean => {
    const state = shard.writes.stateOf({ step: 'line', item: attempt.lineId });
    const isUnsent = state.tries === 'clean' && state.stage === 'unseen';
    return isUnsent && attempt.generation >= state.generation;
  };
  const strangers = [
    ...found.traces.filter(isSure),
    ...(found.batches ?? []).filter(({ payments }) =>
      payments.some(({ line }) => line !== undefined && isSure(line)),
    ),
  ].map(({ record }) => record);
  const { strangers: waited = [] } = carried.heldBack ?? {};
  const fresh = [...strangers, ...(found.unread ?? [])].filter(
    ({ id }) => !known.has(id) && !waited.includes(id),
  );
  if (fresh.length === 0) return false;
  holdBack(shard, lines, {
    untilMs: nowMs + opened.lookupGraceMs,
    strangers: [...waited, ...fresh.map(({ id }) => id)],
  });
  for (const one of shard.payments.at('ready')) {
    if (shard.writes.stateOf(one).tries === 'clean') shard.writes.apply(one, { kind: 'lookAgain' });
  }
  return true;
}

/** Lets lines wait with their look-up, until whatever may be on its way shows in the list. */
export function holdBack(
  { carried }: Shard,
  lines: readonly Line[],
  until: { untilMs: number; strangers?: string[] },
): void {
  const { items, ...held } = carried.heldBack ?? { items: [], untilMs: 0 };
  carried.heldBack = {
    ...held,
    ...until,
    untilMs: Math.max(until.untilMs, held.untilMs),
    items: [...new Set([...items, ...lines.map(({ item }) => item)])],
  };
}

/** When a payment may be looked up first, since requests of an ended run may be under way. */
export function lookUpFromMs(shard: Shard, payment: Payment): number {
  const { heldBack } = shard.carried;
  const isHeld = lineIdsOf(payment).some((item) => heldBack?.items.includes(item));
  return Math.max(heldUntilMs(shard), isHeld ? (heldBack?.untilMs ?? 0) : 0);
}
