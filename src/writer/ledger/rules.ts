import type { Reference } from '../../custody/reference';
import { grounds } from '../../orders/input/settlement';
import type { Row, Work } from '../../store/work';
import { keepPayments, seenOf } from '../payees/memory';
import { addLines, attemptFault, linesApart } from './attempts';
import { orderedUnder } from './claims';
import { rejected, withdrawn } from './decisions';
import {
  type Charge,
  LedgerError,
  type Reservation,
  type Reserved,
  type SignedFinding,
  type WriteEnd,
} from './ledger';
import { factOf, sql } from './statements';
import { limbsOf } from './tables';
import type { LedgerMoment } from './time';
import { full, scopeName } from './windows';

/** Cancellations and accelerations of one transaction. Each may cost a fee. */
const requestsMax = 3;

/** A call that was sent at the end of its key's life may arrive so much later. */
const lateMs = 600_000;

/** Reserves a write, or says why not. */
export function* reserve(asked: Reservation, at: LedgerMoment): Work<Reserved> {
  const stale = yield* putInForce(asked.policy);
  if (stale !== undefined) return { kind: 'wait', words: stale, untilMs: undefined };
  const { key, hash, parts, body } = asked;
  const known = yield* sql.byKey.get(key);
  if (known !== undefined && known.body !== body) {
    const words = `Its key was used with another body before (${parts.workflowId}).`;
    return { kind: 'refused', words };
  }
  if (known !== undefined && known.state !== 'unsent') return yield* repeat(known, at);
  const before = yield* attemptFault(asked);
  if (before !== undefined) return { kind: 'lookUp', words: before };
  if (asked.isRepeat) {
    const words = 'Its earlier attempt has just ended without effect, so it is judged again.';
    return { kind: 'wait', words, untilMs: undefined };
  }
  const refusal = yield* asked.about === undefined
    ? rejected(parts, { isApproved: asked.isApproved ?? false })
    : tooMany(asked.about);
  const gone = refusal ?? (asked.request && (yield* withdrawn(asked.request)));
  if (gone !== undefined) return { kind: 'refused', words: gone };
  // Nothing was created by an attempt that was provably not sent.
  yield* sql.dropCharges.run(madeBy(key));
  const apart = yield* linesApart(asked);
  if (apart !== undefined) return { kind: 'refused', ...apart };
  for (const window of asked.windows) {
    const fault = yield* full(window, at.nowMs);
    if (fault === undefined) continue;
    // A request does not grow with time.
    if ('request' in window.scope) return { kind: 'refused', words: fault.words };
    return { kind: 'wait', rule: window.rule, ...fault };
  }
  const { payments = [], seen } = asked;
  if (seen !== undefined && seen !== (yield* seenOf(payments))) {
    const words = 'Another payment to its payee was just let out, so it is judged again.';
    return { kind: 'wait', rule: '', words, untilMs: undefined };
  }
  const { workflowId, generation } = parts;
  const why = JSON.stringify(asked.grounds);
  const written = JSON.stringify(parts);
  const about = asked.about ?? null;
  if (known !== undefined) yield* sql.drop.run(key);
  yield* sql.add.run(key, hash, generation, workflowId, written, body, at.nowMs, about, why);
  yield* addCharges(key, asked.charges);
  yield* addCharges(madeBy(key), asked.made ?? []);
  yield* sql.endCharges.run('settled', at.nowMs, madeBy(key));
  yield* addLines(asked);
  yield* keepPayments(key, payments, at.nowMs);
  if (asked.call !== undefined) yield* sql.addOrder.run(key, JSON.stringify(asked.call));
  return { kind: 'reserved' };
}

/** The key of the charges for what a write has created. No write has such a key. */
function madeBy(key: string): string {
  return `made ${key}`;
}

function* tooMany(about: string): Work<string | undefined> {
  if ((yield* sql.requests.all(about)).length < requestsMax) return undefined;
  return `It was asked for ${requestsMax} times, which is all that is allowed.`;
}

function* repeat(known: Row, { nowMs, keyLifetimeMs }: LedgerMoment): Work<Reserved> {
  const { key, state, firstMs } = known;
  if (state === 'found') {
    const words = 'An operator has found that it had no effect. Its key is not used again.';
    return { kind: 'lookUp', words };
  }
  if (state !== 'open') {
    const words = 'It has ended: this writer has seen its final record.';
    return { kind: 'lookUp', words };
  }
  if (nowMs > Number(firstMs) + keyLifetimeMs) {
    const words =
      `Its first attempt was at ${new Date(Number(firstMs)).toISOString()}, ` +
      'and the service may have forgotten its key since.';
    return { kind: 'lookUp', words };
  }
  yield* sql.addAttempt.run(key);
  const call = yield* orderedUnder(String(key));
  return { kind: 'repeated', grounds: grounds.parse(JSON.parse(String(known.grounds))), call };
}

/** True for a policy that is newer than that of every writer before. */
export function* isNewest({ version }: Reservation['policy']): Work<boolean> {
  return version > Number((yield* factOf('policyVersion')) ?? 0);
}

/**
 * Puts a policy in force that is newer than that of every writer before. The reason why another one
 * is not in force.
 */
export function* putInForce(policy: Reservation['policy']): Work<string | undefined> {
  if (!(yield* isNewest(policy))) return yield* policyFault(policy);
  yield* sql.setFact.run('policyVersion', String(policy.version));
  yield* sql.setFact.run('policyDigest', policy.digest);
  return undefined;
}

/** The reason why another policy is in force. Undefined also for a newer one. */
export function* policyFault(policy: Reservation['policy']): Work<string | undefined> {
  const { version, digest } = policy;
  const newest = Number((yield* factOf('policyVersion')) ?? 0);
  if (version > newest) return undefined;
  const way = 'Start this writer with the policy in force, or raise the version of its own.';
  if (version < newest) {
    const own = `The policy of this writer has version ${version}`;
    return `${own}, and version ${newest} is in force. ${way}`;
  }
  if (digest === (yield* factOf('policyDigest'))) return undefined;
  return `Another policy with the same version ${version} is in force. ${way}`;
}

/** Adds charges under a key. They are open. */
export function* addCharges(key: string, charges: readonly Charge[]): Work<void> {
  for (const { scope, money, amount } of charges) {
    yield* sql.charge.run(key, scopeName(scope), money, ...limbsOf(amount));
  }
}

/**
 * The write that an end is of, as long as it tells something new. A write that had failed may turn
 * out complete. Another transaction than the known one of a write says nothing of that write.
 */
export function* unended({
  hash,
  generation,
  transactionId,
  hadEffect,
}: WriteEnd): Work<Row | undefined> {
  const known = yield* sql.byReference.get(hash, generation);
  const own = known?.transactionId ?? transactionId;
  if (own !== transactionId || known?.state === 'settled') return undefined;
  return known?.state === 'released' && !hadEffect ? undefined : known;
}

/**
 * Settles or releases a write whose end was read. True for an effect that came although an operator
 * or the service has said that there was none.
 */
export function* endOne(end: WriteEnd, nowMs: number): Work<boolean> {
  const known = yield* unended(end);
  if (known === undefined) return false;
  const state = end.hadEffect ? 'settled' : 'released';
  yield* sql.end.run(state, nowMs, end.transactionId, known.key);
  yield* sql.endCharges.run(state, nowMs, known.key);
  if (end.hadEffect) yield* sql.dropClaim.run(end.transactionId);
  // A write without effect may have cost a fee all the same.
  if (end.fee !== undefined) yield* sql.endFee.run(...limbsOf(end.fee), nowMs, known.key);
  return known.state !== 'open' && end.hadEffect;
}

/**
 * Gives back the reservation of a write that an operator has found to be without effect. The time
 * is the stored one, since the operator's clock may be wrong.
 */
export function* findOne(
  { hash, generation, finding }: Reference & { finding: SignedFinding },
  { nowMs, keyLifetimeMs }: LedgerMoment,
): Work<void> {
  const known = yield* sql.byReference.get(hash, generation);
  if (known === undefined) throw new LedgerError('The ledger has no such write.');
  const { key, state, transactionId, firstMs } = known;
  if (state !== 'open') throw new LedgerError(`It is not open: it is ${state}.`);
  if (transactionId !== null) {
    const words = `The service accepted it as ${transactionId}. It ends when that record ends.`;
    throw new LedgerError(words);
  }
  const untilMs = Number(firstMs) + keyLifetimeMs + lateMs;
  // So that a number that is none refuses.
  if (!(nowMs > untilMs)) {
    const [until, now] = [untilMs, nowMs].map((ms) => new Date(ms).toISOString());
    throw new LedgerError(
      `It may still be sent under its key, until ${until}. The ledger's time is ${now}: the time of ` +
        'the last write that a writer asked for. Order something after that, and release again.',
    );
  }
  yield* sql.end.run('found', nowMs, null, key);
  yield* sql.endCharges.run('released', nowMs, key);
  yield* sql.find.run(key, nowMs, finding.person, finding.statement, finding.signature);
}

/** Counts an attempt without effect. With as many as were made, the reservation ends. */
export function* giveBack(key: string): Work<void> {
  yield* sql.addClean.run(key);
  const given = yield* sql.giveBack.get(key);
  if (given === undefined) return;
  yield* sql.dropCharges.run(key);
  yield* sql.dropLines.run(key);
}
