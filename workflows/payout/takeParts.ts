import { ApplicationFailure, condition, workflowInfo } from '@temporalio/workflow';
import type { AddedPart, PayoutTerms } from '../../activities/payout/shardOrder';
import type { PayoutPart, PayoutSeal } from '../../src/orders/payout';
import { partLinesMax, sumOfSums } from '../../src/orders/payout/tally';
import { counted } from '../../src/orders/progress/doing';
import { longReads, refusal } from '../order/activities';
import { noteDone, noteFault } from '../order/show';
import { noteReset } from '../write/reset';
import { adoptShards, lacksParts } from './adoptShards';
import { askUntilAnswered, untilOpened } from './asking';
import { bookOf, type LivePayout, mayHavePaid, partsOf } from './book';
import { tellHandedOver } from './tell';

/** The accepted part, as the caller is told. */
export type Taken = Pick<AddedPart, 'part' | 'lines' | 'totals'>;
export type Warnings = { warnings: string[] };

const sealing = 'seal';

/** Accepts a part that somebody hands over. Until the seal it replaces the one before. */
export function takePart(live: LivePayout, given: PayoutPart): Promise<Taken> {
  // Parts are checked side by side, and the same one by one check at a time.
  const name = `part ${given?.part}`;
  const isFree = (checking: string[]): boolean =>
    !checking.includes(name) && !checking.includes(sealing);
  return inTurn(live, { name, isFree, answer: () => take(live, given) });
}

/** Checks what somebody says are all parts. */
export function sealParts(live: LivePayout, request: unknown): Promise<Warnings> {
  // The seal is of all parts, so that none is checked meanwhile.
  const isFree = (checking: string[]): boolean => checking.length === 0;
  return inTurn(live, { name: sealing, isFree, answer: () => seal(live, request) });
}

/** Accepts the lines that are in the order itself, and seals them. A refusal ends the order. */
export async function takeOwnLines(live: LivePayout, lines: PayoutPart['lines']): Promise<void> {
  const parts = Math.ceil(lines.length / partLinesMax);
  const totals: Record<string, string>[] = [];
  for (let part = 1; part <= parts; part++) {
    totals.push((await askUntilAnswered(live, () => takeOwnPart(live, { part, lines }))).totals);
    if (live.carried.cancelAsked) return;
  }
  try {
    await untilCancelled(live, () => seal(live, { parts, totals: sumOfSums(totals) }));
  } catch (error) {
    // A payout that is cancelled before its seal has nothing to pay.
    if (!live.carried.cancelAsked) throw error;
  }
}

/** Accepts a part of the lines that are in the order itself. */
export function takeOwnPart(live: LivePayout, { part, lines }: PayoutPart): Promise<Taken> {
  const own = lines.slice((part - 1) * partLinesMax, part * partLinesMax);
  return take(live, { part, lines: own });
}

/** The seal of a payout, for a later run that goes on with it. */
export function sealOf(live: LivePayout): { sealed?: PayoutSeal } {
  const parts = partsOf(live);
  if (!bookOf(live).sealed) return {};
  return { sealed: { parts: parts.length, totals: sumOfSums(parts.map(({ totals }) => totals)) } };
}

/** Seals the parts of an earlier run again, where all of them were found. */
export async function sealAgain(live: LivePayout, sealed: PayoutSeal): Promise<void> {
  if (partsOf(live).length === sealed.parts) await untilCancelled(live, () => seal(live, sealed));
}

type Check<T> = {
  name: string;
  isFree(checking: string[]): boolean;
  answer(): Promise<T>;
};

/** Checks what is handed over once it is known what order this is, and nothing is in the way. */
async function inTurn<T>(live: LivePayout, { name, isFree, answer }: Check<T>): Promise<T> {
  const book = bookOf(live);
  await untilOpened(live);
  const isReady = (): boolean => isFree(book.checking);
  while (!isReady()) await condition(isReady);
  const { plan, completed, order } = live.opened;
  if (plan !== undefined || completed !== undefined) {
    throw refusal('This payout is done, so that it takes no more lines.');
  }
  if (order.lines !== undefined) {
    throw refusal('The lines of this payout are in its order, so that it takes no more.');
  }
  book.checking.push(name);
  try {
    // Nothing is paid before the answer, so whoever asks may wait for it.
    return await untilCancelled(live, answer);
  } catch (error) {
    if (name === sealing && !book.sealed) noteRefused(live, error);
    throw error;
  } finally {
    book.checking = book.checking.filter((one) => one !== name);
    if (!book.sealed) tellHandedOver(live);
  }
}

/** Keeps why a seal was refused, for whoever looks later. */
function noteRefused(live: LivePayout, error: unknown): void {
  if (!(error instanceof ApplicationFailure)) return;
  const book = bookOf(live);
  book.refused = error.message;
  noteFault(live, `the seal was refused: ${error.message}`);
}

async function take(live: LivePayout, given: PayoutPart): Promise<Taken> {
  const { sealed: isSealed, parts } = bookOf(live);
  const known = parts[given?.part]?.hash;
  const shardIds = partsOf(live).map(({ shardId }) => shardId);
  const handing = { terms: termsOf(live), given, known, isSealed, shardIds };
  const { hash, ...added } = await longReads('read a part').addPart(handing);
  noteReset(live);
  const { part, lines, totals } = added;
  if (known !== hash) {
    parts[part] = { ...added, hash };
    tellHandedOver(live);
  } else if (parts[part]?.mustSee) live.woken = true;
  return { part, lines, totals };
}

/** Checks all parts together, once: from then on they are paid. */
async function seal(live: LivePayout, request: unknown): Promise<Warnings> {
  const book = bookOf(live);
  const { order } = live.opened;
  noteReset(live);
  if (!book.sealed && lacksParts(live)) await adoptShards(live);
  const parts = partsOf(live).map(({ part, shardId, hash, totals }) => {
    return { part, shardId, hash, totals };
  });
  const { warnings, places, checks } = await longReads(
    `check ${counted(parts.length, 'part')}`,
  ).checkPayout({
    terms: termsOf(live),
    request,
    parts,
    maxTotal: order.maxTotal,
    strict: order.strict ?? false,
    isFirst: !mayHavePaid(live),
    isSealed: book.sealed,
    signed: order.request,
  });
  if (book.sealed) return { warnings: book.warnings };
  refuseCancelled(live);
  Object.assign(book, { sealed: true, sealedAtMs: Date.now(), warnings, checks });
  delete book.refused;
  for (const part of partsOf(live)) part.place = places?.[part.part];
  const count = partsOf(live).reduce((sum, { lines }) => sum + lines, 0);
  noteDone(live, `sealed: ${counted(parts.length, 'part')}, ${counted(count, 'line')}`);
  live.woken = true;
  return { warnings };
}

/** Finds out where the parts of a signed payout stand that an earlier run has sealed. */
export async function placeLines(live: LivePayout): Promise<void> {
  const signed = live.opened.order.request;
  if (signed === undefined) return;
  const parts = partsOf(live).map(({ part, shardId }) => ({ part, shardId }));
  const places = await askUntilAnswered(live, () =>
    longReads('place the lines among those that were signed').placeParts({ parts, signed }),
  );
  for (const part of partsOf(live)) part.place = places[part.part];
}

/** Asks until there is an answer, or until the payout is cancelled. */
function untilCancelled<T>(live: LivePayout, ask: () => Promise<T>): Promise<T> {
  return askUntilAnswered(live, () => {
    refuseCancelled(live);
    return ask();
  });
}

function refuseCancelled(live: LivePayout): void {
  if (!live.carried.cancelAsked || bookOf(live).sealed) return;
  throw refusal('The payout is cancelled, so that it takes no more.');
}

/** The terms that all shards of this payout share. */
function termsOf({ opened }: LivePayout): PayoutTerms {
  const { lines: _, ...order } = opened.order;
  const { blockchain, keyLifetimeMs, lookupGraceMs, memory } = opened;
  const { checksReceipts, batchesFrom, archives, answers } = opened;
  return {
    workflowId: workflowInfo().workflowId,
    wallets: opened.wallets,
    // Its shards hear of new generations one by one, and of signatures with each wish.
    order: { ...order, generations: {}, request: undefined },
    blockchain,
    keyLifetimeMs,
    lookupGraceMs,
    checksReceipts,
    memory,
    batchesFrom,
    archives,
    ...(answers === true ? { answers } : {}),
  };
}
