import type { ScheduleDescription } from '@temporalio/client';
import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError } from '../../orders/input/read';
import { type Signed, signedStatement } from '../../orders/input/signed';
import { readOrderOf } from '../../orders/kinds';
import { closeKind } from '../../orders/schedule/dailyClose';
import { whenOf } from '../../orders/schedule/rhythm';
import {
  isSameStart,
  orderOfPeriod,
  type PeriodStart,
  type ReadSchedule,
  readSchedule,
  type Schedule,
  unsignedOrder,
} from '../../orders/schedule/schedule';
import {
  beginsOf,
  periodsMax,
  type RequestStatement,
  readRequest,
  type SignedPeriods,
  textOf,
} from '../../writer/signing/statement';
import type { RequestSigning } from '../options';
import { isSameInAll, type SignedBefore, signAgain, signedBefore } from '../signing/signedBefore';
import { statementOf } from '../signing/signRequest';
import { overwrite } from './change';
import { orderTerms } from './orderTerms';
import { scheduleOf, startOf } from './ownSchedule';
import {
  askSchedule,
  type ComingPeriod,
  isOwnStart,
  type NamedSchedule,
  nextPeriods,
  startIn,
} from './parts';
import { refuseOtherTimes } from './sameTimes';
import { refuseUnsound } from './soundPeriods';

/** The coming periods that a schedule is signed for. */
export type SignedSpan = {
  left: number;
  last: string;
  /** True when few are left and the schedule goes on after them. */
  isEnding: boolean;
};

/** Asks whether these periods of an order are to be signed. The terms are in words, for people. */
export type Agreement = (
  periods: readonly ComingPeriod[],
  terms: { order: string; when: string },
) => Promise<boolean>;

/** The schedule as its owner gives it again, or a person: either confirms a second signature. */
export type Confirmation = { schedule?: Schedule | undefined; isAgreed?: Agreement | undefined };

/** A request outlasts its last period by so much: for jitter, for periods that are caught up, and for the people who approve. */
export const marginMs = 30 * 86_400_000;

const fewLeft = 10;

/** Tells for how long a schedule is signed. Undefined where nobody has signed it. */
export function signedSpan(told: ScheduleDescription): SignedSpan | undefined {
  const signed = signedStatement.safeParse(startIn(told).order.request);
  if (!signed.success) return undefined;
  const { periods } = readRequest(signed.data.statement);
  const begins = periods === undefined ? [] : [...beginsOf(periods)];
  const [next] = told.info.nextActionTimes;
  const coming = begins.findIndex(([, atMs]) => atMs === next?.getTime());
  const left = coming < 0 ? 0 : begins.length - coming;
  // A schedule that ends before has all of its periods signed.
  const isEnding = left < fewLeft && begins.length === periodsMax;
  return { left, last: begins.at(-1)?.[0] ?? '', isEnding };
}

/**
 * Signs the coming periods of a schedule again, once they are confirmed. Returns those that are
 * signed now. Temporal may show a changed schedule. So its order and its rhythm must be those that
 * are given again, or that the same key has signed before. Throws a BadOrderError otherwise, if the
 * client has no key, or if nothing comes.
 */
export async function signComing(
  place: NamedSchedule,
  { schedule, isAgreed }: Confirmation = {},
): Promise<ComingPeriod[]> {
  const { signing } = place;
  if (signing === undefined) {
    throw new BadOrderError(
      'id: nobody signs here. Set STEADFAST_SIGN_KEY and STEADFAST_ENTITY_ID, and sign again.',
    );
  }
  if (schedule === undefined && isAgreed === undefined) {
    throw new BadOrderError(
      'schedule: is missing. Temporal may show a changed one, so give yours again, or show the ' +
        'periods to a person with isAgreed.',
    );
  }
  const told = await askSchedule(place, () => place.handle.describe());
  const own = schedule && readSchedule(place.id, schedule);
  const start = ownStart(place, told, own);
  const coming = nextPeriods(start, periodsMax);
  const statement = statementFor({ ...place, signing }, start, coming);
  if (statement === undefined) throw new BadOrderError(`id: ${place.id} has nothing to sign.`);
  const before = own === undefined ? lastingIn(start, statement) : undefined;
  refuseUnsound(start);
  await refuseOtherTimes(place, start);
  if (isAgreed !== undefined && !(await isAgreed(coming, termsOf(start)))) return [];
  const request = before
    ? await signAgain(signing, before, statement)
    : await signing.sign(textOf(statement), 'request');
  if (request === undefined) throw notSigned(notBefore);
  const catchUpMs = own?.catchUp ?? told.policies.catchupWindow;
  await overwrite(place, await scheduleOf(place, withRequest(start, request), catchUpMs));
  return coming;
}

/**
 * The start of a schedule's periods: as its owner gives it again, or as Temporal shows it. What is
 * shown is a claim. It must be of this schedule, and only what was signed before is signed again.
 */
function ownStart(
  place: NamedSchedule,
  told: ScheduleDescription,
  given: ReadSchedule | undefined,
): PeriodStart {
  const shown = startIn(told);
  if (!isOwnStart(place, shown)) throw notSigned('It starts the orders of another one.');
  if (given === undefined) return shown;
  if (given.runs !== undefined) {
    const { until } = shown.rhythm;
    const way = until === undefined ? 'Leave it out' : `Give until "${until}" if that is its end`;
    throw new BadOrderError(`runs: was counted when the schedule was created. ${way}.`);
  }
  const own = startOf(place, given);
  const isSame =
    isSameStart(own, shown) && canonicalJson(own.rhythm) === canonicalJson(shown.rhythm);
  if (!isSame) throw notSigned('Temporal has another order or other times than you give.');
  return own;
}

/** The request that Temporal shows, if it is one for the same order and the same rhythm. */
function lastingIn({ order }: PeriodStart, statement: RequestStatement): SignedBefore {
  const before = signedBefore(order.request);
  if (before !== undefined && isSameInAll(before, statement)) return before;
  throw notSigned(before === undefined ? 'It was not signed before.' : notBefore);
}

const notBefore = 'Its order and its times are not those that this key has signed before.';

function notSigned(why: string): BadOrderError {
  return new BadOrderError(
    `id: the schedule is not signed again. ${why} Look at it, delete it, and create it again.`,
  );
}

/**
 * The start of periods with a request for the coming ones, if the client signs. Undefined if they
 * are not agreed upon.
 */
export async function signedStart(
  place: NamedSchedule,
  start: PeriodStart,
  isAgreed: Agreement = async () => true,
): Promise<PeriodStart | undefined> {
  const { signing } = place;
  if (signing === undefined) return start;
  const coming = nextPeriods(start, periodsMax);
  const statement = statementFor({ ...place, signing }, start, coming);
  if (statement === undefined) return start;
  if (!(await isAgreed(coming, termsOf(start)))) return undefined;
  return withRequest(start, await signing.sign(textOf(statement), 'request'));
}

function termsOf(start: PeriodStart): Parameters<Agreement>[1] {
  return { order: orderTerms(start), when: whenOf(start) };
}

/**
 * The statement for the coming periods of a schedule. Undefined if nothing has to be signed. Throws
 * a BadOrderError if the orders differ in more than their references, since one signature is for
 * all of them.
 */
export function statementFor(
  place: NamedSchedule & { signing: RequestSigning },
  start: PeriodStart,
  coming: readonly ComingPeriod[],
): RequestStatement | undefined {
  const { kind, template, timeZone, rhythm, idsBegin: workflowId } = start;
  // It moves no money, so nobody has to sign it.
  if (kind === closeKind) return undefined;
  const [first, last] = [coming[0], coming.at(-1)];
  if (first === undefined || last === undefined) {
    throw new BadOrderError(`id: the schedule "${place.id}" has ended.`);
  }
  const times = coming.map(({ at }) => at);
  const periods: SignedPeriods = { template, timeZone, rhythm, times };
  const unsigned = unsignedOrder(start);
  const { reference: _, ...deciding } = unsigned;
  if (canonicalJson(deciding).includes('{period}')) {
    throw new BadOrderError(
      'order: "{period}" stands in a field that decides about money, so that one signature cannot ' +
        'be for all periods. Put it into the reference alone.',
    );
  }
  const order = readOrderOf(kind, orderOfPeriod({ ...start, order: unsigned }, first.period));
  const expires = new Date(Date.parse(last.at) + marginMs);
  return statementOf(place, { kind, workflowId, order, periods, expires });
}

function withRequest(start: PeriodStart, request: Signed): PeriodStart {
  return { ...start, order: { ...unsignedOrder(start), request } };
}
