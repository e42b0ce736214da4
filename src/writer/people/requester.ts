import { WithheldError } from '../../custody/errors';
import { isRecord } from '../../custody/isRecord';
import { toBaseUnits } from '../../custody/objects/amount';
import type { Authority } from '../../orders/input/signed';
import type { LineTarget } from '../../orders/payout/lineTarget';
import { counted } from '../../orders/progress/doing';
import { dryPrefix } from '../../orders/progress/plan';
import { NotUnderstood, understood } from '../call/effects';
import type { UnderstoodCall } from '../call/understoodCall';
import type { Moneys } from '../file/money';
import { type Policy, type PolicyMoney, policyDecimals } from '../file/policy';
import type { DecisionMemory } from '../ledger/decision';
import { beginsOf, type RequestStatement, type SignedPeriods } from '../signing/statement';
import { type Cover, refuseUncovered } from './covers';
import { ageFault, datedAheadMaxMs, type Signatory, signatoryOf } from './signatory';
import { verifiedRequest } from './verified';

/** A period that begins so soon is waited for. */
const aheadMs = 300_000;

/** The account, the namespace and the chain that a statement must be made for. */
export type StatementPlace = { entity: string; namespace: string; blockchain: string };

/** A person who has signed the order that a write belongs to. */
export type Requester = {
  person: string;
  /** The key of the signature. */
  publicKey: string;
  statement: Readonly<RequestStatement>;
  /** The sums of all lines of a payout, as they were signed. */
  ordered: ReadonlyMap<PolicyMoney, bigint> | undefined;
  /** The lines of a payout that the write pays. */
  lines: readonly LineTarget[];
};

/**
 * The person whose signed request covers a write. Undefined where the order carries no request.
 * Throws NotUnderstood for one that is forged, of another place or order, or that does not contain
 * this write. A request that has expired, or that a passkey has made too long ago, counts only for
 * a key that was attempted before.
 */
export async function requesterOf(
  { request, proof }: Authority,
  write: UnderstoodCall,
  facts: Cover & {
    policy: Policy;
    place: StatementPlace;
    memory: DecisionMemory;
    isFirst: boolean;
    nowMs: number;
  },
): Promise<Requester | undefined> {
  if (request === undefined) return undefined;
  const signatory = signatoryOf(facts.policy, request, 'request');
  const { person, publicKey } = signatory;
  const statement = understood(() => verifiedRequest(request.statement));
  const { workflowId } = write.identity.parts;
  refuseElsewhere(statement, facts.place, 'request');
  refuseOtherOrder(statement, workflowId, facts.nowMs);
  if (facts.isFirst) {
    refuseLate(statement, person, facts.nowMs);
    refuseEarly(statement, person, facts.nowMs);
  }
  const lines = await refuseUncovered(statement, { ...write, proof }, facts);
  const { lines: signed } = statement;
  const ordered = signed && understood(() => sumsIn(signed.totals, facts.moneys));
  if (ordered !== undefined) refuseAboveMost(statement, ordered, facts.moneys);
  // The last check, since a request in time is remembered.
  if (facts.isFirst) await refuseUntimely(signatory, facts);
  return { person, publicKey, statement, ordered, lines };
}

/** Refuses a first attempt that comes after the request has expired, or after its order has. */
function refuseLate(
  { expires, validUntil, periods }: RequestStatement,
  person: string,
  nowMs: number,
): void {
  if (validUntil !== undefined && Date.parse(validUntil) <= nowMs) {
    throw new NotUnderstood(
      `Its order was to be sent until ${validUntil}, as ${person} has signed.`,
    );
  }
  if (Date.parse(expires) > nowMs) return;
  const words = `The request of ${person} has expired at ${expires}.`;
  const way = periods ? 'Create its schedule again.' : 'Sign it once more.';
  throw new NotUnderstood(`${words} ${way}`);
}

/** Refuses a request that is dated after now. No withdrawal of today would reach it. */
function refuseEarly({ signedAt }: RequestStatement, person: string, nowMs: number): void {
  if (Date.parse(signedAt) <= nowMs + datedAheadMaxMs) return;
  throw new NotUnderstood(
    `The request of ${person} is dated ${signedAt}, and it is ${new Date(nowMs).toISOString()}. ` +
      'Set the clock of the machine that signs, and sign it once more.',
  );
}

/** Refuses a request by a passkey that no writer has seen in time. */
async function refuseUntimely(
  signatory: Signatory,
  { memory, nowMs }: { memory: DecisionMemory; nowMs: number },
): Promise<void> {
  const fault = await ageFault(signatory, { memory, nowMs, purpose: 'request' });
  if (fault === undefined) return;
  throw new NotUnderstood(`Its signature is not counted: ${fault}. Sign it once more.`);
}

/** Refuses a payout whose lines come to more than it allows by itself. */
function refuseAboveMost(
  { money: { maxTotal } }: RequestStatement,
  ordered: ReadonlyMap<PolicyMoney, bigint>,
  moneys: Moneys,
): void {
  if (!isRecord(maxTotal)) return;
  for (const [money, most] of understood(() => sumsIn(maxTotal, moneys))) {
    if ((ordered.get(money) ?? 0n) <= most) continue;
    throw new NotUnderstood('Its lines come to more than its own maxTotal, as it was signed.');
  }
}

function sumsIn(
  totals: Readonly<Record<string, unknown>>,
  moneys: Moneys,
): Map<PolicyMoney, bigint> {
  const sums = new Map<PolicyMoney, bigint>();
  for (const [token, amount] of Object.entries(totals)) {
    const money = moneys.moneyOf(moneys.addressOf(token) ?? token);
    sums.set(money, (sums.get(money) ?? 0n) + toBaseUnits(String(amount), policyDecimals));
  }
  return sums;
}

/** Refuses a statement that was made for another place than this one. */
export function refuseElsewhere(
  statement: StatementPlace,
  place: StatementPlace,
  what: string,
): void {
  for (const field of ['entity', 'namespace', 'blockchain'] as const) {
    if (statement[field] === place[field]) continue;
    throw new NotUnderstood(
      `Its ${what} is for the ${field} ${statement[field]}, and this is ${place[field]}.`,
    );
  }
}

/** Refuses a request for another order, for a dry run, or for a period that it does not name. */
function refuseOtherOrder(
  { order, periods, period: alone }: RequestStatement,
  workflowId: string,
  nowMs: number,
): void {
  if (order.startsWith(dryPrefix)) {
    throw new NotUnderstood('Its request is for a dry run, which pays nothing. Start the order.');
  }
  if (periods === undefined ? order === workflowId : workflowId.startsWith(`${order}:`)) {
    const period = workflowId.slice(order.length + 1);
    if (periods !== undefined) refuseOtherPeriod(periods, period, nowMs);
    if (alone !== undefined)
      refuseBefore({ beginMs: Date.parse(alone.begins), words: 'Its period' }, nowMs);
    return;
  }
  throw new NotUnderstood(`Its request is for the order ${order}, and this is ${workflowId}.`);
}

function refuseOtherPeriod(periods: SignedPeriods, period: string, nowMs: number): void {
  const way = 'Sign an order for it by itself.';
  const begins = beginsOf(periods);
  const beginMs = begins.get(period);
  if (beginMs === undefined) {
    const names = [...begins.keys()];
    const signed = `${counted(names.length, 'period')}, from ${names[0]} to ${names.at(-1)}`;
    throw new NotUnderstood(`Its schedule was signed for ${signed}, not for ${period}. ${way}`);
  }
  refuseBefore({ beginMs, words: `Its period ${period}`, way: ` ${way}` }, nowMs);
}

/** Refuses an order whose period has not begun. */
function refuseBefore(
  { beginMs, words: period, way = '' }: { beginMs: number; words: string; way?: string },
  nowMs: number,
): void {
  const afterMs = beginMs - nowMs;
  if (afterMs <= 0) return;
  const words = `${period} begins at ${new Date(beginMs).toISOString()}.`;
  // Temporal's clock may be ahead of ours.
  if (afterMs > aheadMs) throw new NotUnderstood(`${words}${way}`);
  throw new WithheldError(words, { next: 'again', afterMs });
}
