import type { KeyParts } from '../../custody/idempotencyKey';
import { allLines } from '../../custody/objects/approval';
import { scheduleNameOf } from '../../orders/input/orderId';
import type { OpenDatabase, Work } from '../../store/work';
import type {
  DecisionMemory,
  KeptAssertion,
  Rejection,
  SignedRequest,
  Withdrawal,
} from './decision';
import { sql } from './statements';

/** The memory of decisions in the database of a ledger. */
export function decisionsIn(
  read: OpenDatabase['read'],
  change: <T>(work: (at: { nowMs: number }) => Work<T>) => Promise<T>,
): DecisionMemory {
  return {
    reject: (rejection) => change(({ nowMs }) => keepRejection(rejection, nowMs)),
    rejected: (parts, how) => read(rejected(parts, how)),
    withdraw: (withdrawal) => change(() => keepWithdrawal(withdrawal)),
    withdrawn: (request) => read(withdrawn(request)),
    keepAssertion: (made) => change(({ nowMs }) => keepAssertion(made, nowMs)),
    hasAssertion: (made) => read(isKept(made)),
  };
}

/** Keeps a rejection for ever. The first one of a write counts. */
function* keepRejection(
  { parts, isOfAll, person, signature }: Rejection,
  nowMs: number,
): Work<void> {
  const { workflowId, generation } = parts;
  const place = isOfAll ? [allLines, 0] : [pathOf(parts), generation];
  yield* sql.reject.run(workflowId, ...place, person, signature, nowMs);
}

/** Keeps an assertion for ever. */
function* keepAssertion({ publicKey, challenge }: KeptAssertion, nowMs: number): Work<void> {
  yield* sql.assert.run(challenge, publicKey, nowMs);
}

/** True for an assertion that was kept. */
function* isKept({ publicKey, challenge }: KeptAssertion): Work<boolean> {
  return (yield* sql.assertion.get(challenge, publicKey)) !== undefined;
}

/**
 * The rejection that stands against a write, as a sentence. A rejection of all lines of a payout
 * stands against each of them. A rejection of one write stands for its generation, and for each
 * later one that people have not approved again.
 */
export function* rejected(
  parts: KeyParts,
  { isApproved }: { isApproved: boolean },
): Work<string | undefined> {
  const { workflowId, generation } = parts;
  const row = yield* sql.rejection.get(workflowId, pathOf(parts), generation, allLines);
  if (row === undefined) return undefined;
  const isOlder = row.path !== allLines && Number(row.generation) < generation;
  return isOlder && isApproved ? undefined : rejectedBy(String(row.person));
}

/** The words of every refusal because of a rejection. */
export function rejectedBy(person: string): string {
  return `${person} has rejected it.`;
}

/**
 * Keeps a withdrawal for ever. The withdrawal up to the latest moment counts. A repetition changes
 * nothing, so that nobody withdraws with it what was signed since.
 */
function* keepWithdrawal(withdrawal: Withdrawal): Work<number> {
  const { order, lines, publicKeys, person, untilMs, signature, digest, publicKey } = withdrawal;
  const first = yield* sql.handedOver.get(digest, publicKey);
  if (first !== undefined) return Number(first.untilMs);
  yield* sql.handOver.run(digest, publicKey, untilMs);
  const names = lines?.map((lineId) => nameOf(order, lineId)) ?? [order];
  const signers = person === undefined ? publicKeys : [...publicKeys, person];
  for (const name of names) {
    for (const signer of signers) yield* sql.withdraw.run(name, signer, untilMs, signature);
  }
  return untilMs;
}

/**
 * The withdrawal that stands against a request, as a sentence. A withdrawal of an order stands
 * against what was signed for it before. A withdrawal of a line, or of one period of a
 * schedule, stands against every request that is for more than this one.
 */
export function* withdrawn(request: SignedRequest): Work<string | undefined> {
  const { workflowId, order, signedMs, lineId } = request;
  const isOfPeriod = workflowId !== order;
  const schedule = isOfPeriod ? scheduleNameOf(order) : request.schedule;
  for (const name of schedule === undefined ? [order] : [order, schedule]) {
    const whole = yield* withdrawalOf(name, request, signedMs);
    if (whole !== undefined) return whole;
  }
  const period = isOfPeriod ? yield* withdrawalOf(workflowId, request) : undefined;
  if (period !== undefined) return `${period} Order this period by itself to pay it.`;
  if (lineId === undefined) return undefined;
  const line = yield* withdrawalOf(nameOf(workflowId, lineId), request);
  return line && `${line} This payout does not pay it any more.`;
}

function* withdrawalOf(
  name: string,
  { person, publicKey }: SignedRequest,
  signedMs = 0,
): Work<string | undefined> {
  const row = yield* sql.withdrawal.get(name, publicKey, person, signedMs);
  if (row === undefined) return undefined;
  const until = new Date(Number(row.untilMs)).toISOString();
  return `${person} has withdrawn what it signed for ${name} until ${until}.`;
}

/** A line of an order, in a form that no id of an order has. */
function nameOf(order: string, lineId: string): string {
  return `${order} line/${lineId}`;
}

function pathOf({ step, item }: KeyParts): string {
  return `${step}/${item}`;
}
