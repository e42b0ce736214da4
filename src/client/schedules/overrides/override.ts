import { inOneLine } from '../../../orders/describe';
import { BadOrderError } from '../../../orders/input/read';
import { shown } from '../../../orders/input/shown';
import { readOrderOf } from '../../../orders/kinds';
import { closeKind } from '../../../orders/schedule/dailyClose';
import { type Override, type OverrideNote, overrideKey } from '../../../orders/schedule/override';
import { spanOf } from '../../../orders/schedule/period';
import { timesIn, whenOf } from '../../../orders/schedule/rhythm';
import { orderOfPeriod, type PeriodStart, unsignedOrder } from '../../../orders/schedule/schedule';
import { sumOfOrder } from '../../../orders/schedule/sumOf';
import { startingOf } from '../../../orders/starting';
import { inTerms } from '../orderTerms';
import { askSchedule, isOwnStart, type NamedSchedule, periodsOf, startIn } from '../parts';
import type { Agreement } from '../signSchedule';
import { refuseOwnLimits } from '../soundPeriods';
import { endOverride, keepOverride, standingOverride } from './keepOverride';
import { type FoundPeriod, overrideSigner, type Signing } from './signOverride';

/**
 * The deed of one period instead of the usual order: another order, the usual one with some fields
 * changed, or nothing.
 */
export type Instead =
  | { order: Record<string, unknown> }
  | { change: Record<string, unknown> }
  | 'nothing';

/** An override that stands, and the order that it replaces. */
export type Overridden = OverrideNote & {
  workflowId: string;
  /** The usual order in one line. */
  usual: string;
  /** The fate of what was signed for the period, as sentences. Empty where nobody has signed. */
  words: string;
};

/**
 * Has one period of a schedule do something else. Its order keeps its id, so that the period pays
 * once. Given again, it replaces what was given before. Throws a BadOrderError for a period that
 * the schedule does not have, and for one whose order has started.
 */
export async function giveOverride(
  place: NamedSchedule,
  name: string,
  { instead, isAgreed }: { instead: Instead; isAgreed?: Agreement | undefined },
): Promise<Overridden> {
  const one = await periodIn(place, name);
  const { start, period } = one;
  const given = orderInstead(start, instead);
  const order = given && orderOfPeriod({ ...start, order: given }, period);
  if (order !== undefined) refuseOwnLimits(start.kind, order);
  const signing = await overrideSigner(place, one);
  const isKept = (await standingOverride(place.client, one.workflowId)) !== undefined;
  if (!isKept && isOver(one)) throw hasBegun(one);
  const words = signing
    ? await keepSigned(place, one, { order, signing, isKept, isAgreed })
    : await keepOverride(place, one.workflowId, overrideOf(one, order)).then(() => '');
  const { workflowId } = one;
  const note = overrideOf(one, order).memo[overrideKey];
  return { ...note, workflowId, usual: usualOf(one), words };
}

/**
 * Takes the override of a period back, and returns the fate of its signature, and the command that
 * starts a period that has passed. Where the schedule is signed, its own signature pays this period
 * no more, so the usual order is signed by itself.
 */
export async function restorePeriod(
  place: NamedSchedule,
  name: string,
  isAgreed?: Agreement,
): Promise<string> {
  const one = await periodIn(place, name);
  const { start, period, workflowId } = one;
  const signing = await overrideSigner(place, one);
  if ((await standingOverride(place.client, workflowId)) === undefined) {
    throw new BadOrderError(`period: ${period} of ${place.id} has no override that waits.`);
  }
  if (signing === undefined) {
    await endOverride(place, workflowId, `${period} pays its usual order again`);
    return isOver(one)
      ? `${period} pays its usual order once it is started. ${startOf(place, one)}`
      : '';
  }
  const order = orderOfPeriod({ ...start, order: unsignedOrder(start) }, period);
  const fate = await keepSigned(place, one, { order, signing, isKept: true, isAgreed });
  const words = `The usual order of ${period} is signed by itself, and waits as its override.`;
  return [fate, words, ...(isOver(one) ? [startOf(place, one)] : [])].join(' ');
}

/** True for a period whose time has passed, so that no schedule starts it any more. */
function isOver({ at }: FoundPeriod): boolean {
  return Date.parse(at) <= Date.now();
}

function startOf({ id }: NamedSchedule, { period }: FoundPeriod): string {
  return `Start it with: npx --no-install steadfast schedule trigger ${id} --period ${period}`;
}

/**
 * Withdraws what was signed for a period, signs its order, and keeps it. The period is held before
 * that, so that nothing of an order that has started is withdrawn. The order is shown first: a part
 * of it may be what Temporal shows, and nothing else.
 */
async function keepSigned(
  place: NamedSchedule,
  one: FoundPeriod,
  { order, signing, isKept, isAgreed = async () => true }: Keeping,
): Promise<string> {
  const { workflowId, start } = one;
  const { kind } = start;
  const words = order && inTerms(kind, order, readOrderOf(kind, order));
  const terms = words && { order: words, when: `once, at ${one.at}` };
  if (terms && !(await isAgreed([one], terms))) {
    throw new BadOrderError(`period: nothing was signed for ${one.period}, and nothing changes.`);
  }
  if (!isKept) await keepOverride(place, workflowId, overrideOf(one, undefined));
  let isWithdrawn = false;
  try {
    const words = await signing.withdraw();
    isWithdrawn = true;
    if (order === undefined && !isKept) return words;
    const signed = order && (await signing.sign(order));
    await keepOverride(place, workflowId, overrideOf(one, signed));
    return words;
  } catch (error) {
    // The usual order has no signature any more, and would wait for one without a word.
    if (isWithdrawn) throw heldBy(error, place, one);
    if (!isKept) await endOverride(place, workflowId, 'it was not signed').catch(() => {});
    throw error;
  }
}

type Order = Record<string, unknown>;
type Keeping = {
  order: Order | undefined;
  signing: Signing;
  isKept: boolean;
  isAgreed: Agreement | undefined;
};

function heldBy(error: unknown, { id }: NamedSchedule, { period }: FoundPeriod): BadOrderError {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  const command = `npx --no-install steadfast schedule override ${id} --period ${period}`;
  return new BadOrderError(
    `period: the order of ${period} was not signed: ${reason}. What was signed for it before is ` +
      `withdrawn. What waits for it stays. Give it again, or pay the usual order: ${command} --remove`,
    { cause: error },
  );
}

function overrideOf({ start, period, at }: FoundPeriod, order: Order | undefined): Override {
  const { kind } = start;
  if (order === undefined) return { kind, memo: { [overrideKey]: { period, at } } };
  const { request: _, ...unsigned } = order;
  const read = readOrderOf(kind, order);
  const note = { period, at, order: inOneLine(unsigned), sum: sumOfOrder(kind, read) };
  return { kind, order, memo: { ...startingOf(kind, read).memo, [overrideKey]: note } };
}

/** Finds a period of a schedule, by its name. Throws a BadOrderError if the schedule lacks it. */
async function periodIn(place: NamedSchedule, period: string): Promise<FoundPeriod> {
  const start = startIn(await askSchedule(place, () => place.handle.describe()));
  const { kind, template, idsBegin } = start;
  if (!isOwnStart(place, start)) {
    throw new BadOrderError(`id: the schedule "${place.id}" starts the orders of another one.`);
  }
  if (kind === closeKind) {
    throw new BadOrderError(`id: ${place.id} closes days, which moves no money. Pause it instead.`);
  }
  const span = spanOf(template, period);
  if (span === undefined) {
    throw new BadOrderError(`period: ${shown(period)} is not of the form ${template}.`);
  }
  const times = timesIn(start, span, Number.POSITIVE_INFINITY);
  const found = periodsOf(start, times).find((one) => one.period === period);
  if (found === undefined) {
    throw new BadOrderError(
      `period: ${whenOf(start)} never comes in ${period}. See what it starts next with: ` +
        `npx --no-install steadfast schedule describe ${place.id}`,
    );
  }
  return { start: { ...start, kind }, ...found, workflowId: `${idsBegin}:${period}` };
}

function orderInstead({ order: usual }: PeriodStart, instead: Instead): Order | undefined {
  if (instead === 'nothing') return undefined;
  if ('order' in instead) return instead.order;
  const unsigned = unsignedOrder({ order: usual });
  if ('amount' in instead.change && !('amount' in unsigned)) {
    throw new BadOrderError(
      'amount: the orders of this schedule have none of their own. Give the whole order.',
    );
  }
  return { ...unsigned, ...instead.change };
}

function usualOf({ start, period }: FoundPeriod): string {
  const order = orderOfPeriod({ ...start, order: unsignedOrder(start) }, period);
  return inOneLine(order);
}

function hasBegun({ period, at, workflowId }: FoundPeriod): BadOrderError {
  return new BadOrderError(
    `period: ${period} has begun at ${at}, and keeps its order. See it with: npx --no-install ` +
      `steadfast status ${workflowId}`,
  );
}
