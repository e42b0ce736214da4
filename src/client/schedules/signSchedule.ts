import type { ScheduleDescription } from '@temporalio/client';
import {
  periodsMax,
  type RequestStatement,
  readRequest,
  type SignedPeriods,
  textOf,
} from '../../authority/statement';
import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError } from '../../orders/input/read';
import { type Signed, signedStatement } from '../../orders/input/signed';
import { readOrderOf } from '../../orders/kinds';
import { closeKind } from '../../orders/schedule/dailyClose';
import { orderOf, type PeriodStart, unsignedOrder } from '../../orders/schedule/schedule';
import { endOfTime, matchingTimes } from '../../temporal/matchingTimes';
import type { RequestSigning } from '../options';
import { signAgain, signedBefore } from '../signedBefore';
import { statementOf } from '../signRequest';
import { asked, type ComingPeriod, idsBeginOf, type Named, periodsOf, startIn } from './parts';
import { isDenser } from './rhythm';

/** The coming periods that a schedule is signed for. */
export type SignedSpan = {
  left: number;
  last: string;
  /** True when few are left and the schedule goes on after them. */
  isEnding: boolean;
};

/** Asks whether these periods are to be signed. */
export type Agreement = (periods: readonly ComingPeriod[]) => Promise<boolean>;

/** For jitter, for periods that are caught up, and for the people who approve. */
const marginMs = 30 * 86_400_000;
const aMomentMs = 60_000;

const fewLeft = 10;

/** Tells for how long a schedule is signed. Undefined where nobody has signed it. */
export function signedSpan(told: ScheduleDescription): SignedSpan | undefined {
  const start = startIn(told);
  const signed = signedStatement.safeParse(start.order.request);
  if (!signed.success) return undefined;
  const { names = [] } = readRequest(signed.data.statement).periods ?? {};
  const [next] = periodsOf(start, told.info.nextActionTimes);
  const coming = next === undefined ? -1 : names.indexOf(next.period);
  const left = coming < 0 ? 0 : names.length - coming;
  // A schedule that ends before has all of its periods signed.
  const isEnding = left < fewLeft && names.length === periodsMax;
  return { left, last: names.at(-1) ?? '', isEnding };
}

/**
 * Signs the coming periods of a schedule again, if they are agreed upon. Returns those that are
 * signed now. Temporal may show a changed schedule. So the order must be one that the same key has
 * signed before, and its periods no denser. Throws a BadOrderError otherwise, if the client has no
 * key, or if nothing comes.
 */
export async function signComing(
  place: Named,
  isAgreed: Agreement = async () => true,
): Promise<ComingPeriod[]> {
  const { scheduleId, handle, signing } = place;
  if (signing === undefined) {
    throw new BadOrderError(
      'id: nobody signs here. Set STEADFAST_SIGN_KEY and STEADFAST_ENTITY_ID, and sign again.',
    );
  }
  const told = await asked(place, () => handle.describe());
  const start = startIn(told);
  if (start.scheduleId !== scheduleId || start.idsBegin !== idsBeginOf(place, start.kind)) {
    throw notSigned('It starts the orders of another one.');
  }
  const before = signedBefore(start.order.request);
  if (before === undefined) throw notSigned('It was not signed before.');
  const coming = await comingPeriods(place, told, start);
  const statement = statementFor({ ...place, signing }, start, coming);
  const { periods } = before.statement;
  if (periods !== undefined && isDenser(periods, statement?.periods?.names ?? [])) {
    throw notSigned('Temporal names more periods, or denser ones, than were signed before.');
  }
  if (!(await isAgreed(coming))) return [];
  const request = statement && (await signAgain(signing, before, statement));
  if (request === undefined) {
    throw notSigned('Its order is not the one that this key has signed before.');
  }
  await handOver(place, start, request);
  return coming;
}

/** The next hundred periods of a schedule, as Temporal computes them. */
async function comingPeriods(
  place: Named,
  told: ScheduleDescription,
  start: PeriodStart,
): Promise<ComingPeriod[]> {
  const { client, scheduleId } = place;
  // A period that was due a moment ago may be started after this.
  const fromMs = Date.now() - aMomentMs;
  const times = await matchingTimes(client, scheduleId, [fromMs, endOfTime]);
  const left = times.slice(0, told.state.remainingActions);
  const coming = periodsOf(start, left).slice(0, periodsMax);
  if (coming.length === 0) throw new BadOrderError(`id: the schedule "${place.id}" has ended.`);
  const names = new Set(coming.map(({ period }) => period));
  if (names.size < coming.length || times.some((time) => time < fromMs)) {
    throw notSigned('Temporal names periods that are over, or one of them twice.');
  }
  return coming;
}

function notSigned(why: string): BadOrderError {
  return new BadOrderError(
    `id: the schedule is not signed again. ${why} Look at it, delete it, and create it again.`,
  );
}

/** The start of periods with a request for the coming ones, if the client signs. */
export async function signedStart(
  place: Named,
  start: PeriodStart,
  coming: readonly ComingPeriod[],
): Promise<PeriodStart> {
  const { signing } = place;
  if (signing === undefined) return start;
  const statement = statementFor({ ...place, signing }, start, coming);
  if (statement === undefined) return start;
  return withRequest(start, await signing.sign(textOf(statement), 'request'));
}

/**
 * The statement for the coming periods of a schedule, of which it names a hundred at most.
 * Undefined if nothing comes, or nobody has to sign it. Throws a BadOrderError if the orders differ
 * in more than their references, since one signature is for all of them.
 */
function statementFor(
  place: Named & { signing: RequestSigning },
  start: PeriodStart,
  coming: readonly ComingPeriod[],
): RequestStatement | undefined {
  const { kind, template, timeZone, idsBegin: workflowId } = start;
  const signed = coming.slice(0, periodsMax);
  const names = signed.map(({ period }) => period);
  const [first, last] = [signed[0], signed.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  // It moves no money, so nobody has to sign it.
  if (kind === closeKind) return undefined;
  const periods: SignedPeriods = { template, timeZone, names };
  const unsigned = unsignedOrder(start);
  const { reference: _, ...deciding } = unsigned;
  if (canonicalJson(deciding).includes('{period}')) {
    throw new BadOrderError(
      'order: "{period}" stands in a field that decides about money, so that one signature cannot ' +
        'be for all periods. Put it into the reference alone.',
    );
  }
  const order = readOrderOf(kind, orderOf({ ...start, order: unsigned }, first.period));
  const expires = new Date(Date.parse(last.at) + marginMs);
  return statementOf(place, { kind, workflowId, order, periods, expires });
}

async function handOver({ handle }: Named, start: PeriodStart, request: Signed): Promise<void> {
  const args = [withRequest(start, request)];
  await handle.update(({ action, ...others }) => ({ ...others, action: { ...action, args } }));
}

function withRequest(start: PeriodStart, request: Signed): PeriodStart {
  return { ...start, order: { ...unsignedOrder(start), request } };
}
