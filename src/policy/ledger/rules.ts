import type { Reference } from '../../custody/idempotencyKey';
import { grounds } from '../../orders/input/settlement';
import {
  type Charge,
  type End,
  type Finding,
  LedgerError,
  type Reservation,
  type Reserved,
} from './ledger';
import type { Row, Statements } from './statements';
import { limbsOf } from './tables';
import { nameOf, type Windows } from './windows';

/** Cancellations and accelerations of one transaction. Each may cost a fee. */
const requestsMax = 3;

/** A call that was sent at the end of its key's life may arrive so much later. */
const lateMs = 600_000;

/** The tables of a ledger, and the time for which the service remembers a key. */
export type Rules = { sql: Statements; windows: Windows; keyLifetimeMs: number };

/** Reserves a write, or says why not. */
export function reserve(rules: Rules, asked: Reservation, nowMs: number): Reserved {
  const { sql, windows } = rules;
  const stale = policyFault(sql, asked.policy);
  if (stale !== undefined) return { kind: 'wait', words: stale, untilMs: undefined };
  const { key, hash, parts, body } = asked;
  const known = sql.byKey.get(key);
  if (known !== undefined && known.body !== body) {
    const words = `Its key was used with another body before (${parts.workflowId}).`;
    return { kind: 'refused', words };
  }
  if (known !== undefined && known.state !== 'unsent') return repeat(rules, known, nowMs);
  const before = predecessorFault(sql, asked);
  if (before !== undefined) return { kind: 'lookUp', words: before };
  if (asked.about !== undefined && sql.requests.all(asked.about).length >= requestsMax) {
    const words = `It was asked for ${requestsMax} times, which is all that is allowed.`;
    return { kind: 'refused', words };
  }
  for (const window of asked.windows) {
    const full = windows.full(window, nowMs);
    if (full === undefined) continue;
    // A request does not grow with time.
    if ('request' in window.scope) return { kind: 'refused', words: full.words };
    return { kind: 'wait', rule: window.rule, ...full };
  }
  const { workflowId, generation } = parts;
  const why = JSON.stringify(asked.grounds);
  const written = JSON.stringify(parts);
  const about = asked.about ?? null;
  sql.add.run(key, hash, generation, workflowId, written, body, nowMs, about, why);
  for (const charge of asked.charges) addCharge(sql, key, charge);
  return { kind: 'reserved' };
}

function repeat({ sql, keyLifetimeMs }: Rules, known: Row, nowMs: number): Reserved {
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
  sql.addAttempt.run(key);
  return { kind: 'repeated', grounds: grounds.parse(JSON.parse(String(known.grounds))) };
}

/**
 * A new key needs a reference that nothing was sent under, and an end without effect of the
 * generation before. No later generation may have been sent.
 */
function predecessorFault(sql: Statements, asked: Reservation): string | undefined {
  const { hash, parts, about } = asked;
  const { generation } = parts;
  if (sql.isBurnt.get(hash, generation) !== undefined) {
    return 'The service has a record of it that this ledger does not know.';
  }
  if (about !== undefined) return undefined;
  const later = sql.later.get(hash, generation);
  if (later !== undefined) return `Its generation ${later.generation} was sent, and is later.`;
  if (generation === 0) return undefined;
  if (sql.isBurnt.get(hash, generation - 1) !== undefined) {
    return `The service has a record of its generation ${generation - 1} that this ledger lacks.`;
  }
  const before = sql.byReference.get(hash, generation - 1);
  const isRefused = sql.isRefused.get(hash, generation - 1) !== undefined;
  const state = before?.state ?? (isRefused ? 'unsent' : undefined);
  if (state === 'released' || state === 'unsent' || state === 'found') return undefined;
  return (
    `Its generation ${generation} needs an end without effect of generation ${generation - 1}, ` +
    'and this writer has seen none.'
  );
}

/** Only the newest policy that any writer of this ledger had is in force. */
function policyFault(sql: Statements, { version, digest }: Reservation['policy']) {
  const newest = Number(sql.fact('policyVersion') ?? 0);
  if (version > newest) {
    sql.setFact('policyVersion', String(version));
    sql.setFact('policyDigest', digest);
    return undefined;
  }
  const way = 'Start this writer with the policy in force, or raise the version of its own.';
  if (version < newest) {
    const own = `The policy of this writer has version ${version}`;
    return `${own}, and version ${newest} is in force. ${way}`;
  }
  if (digest === sql.fact('policyDigest')) return undefined;
  return `Another policy with the same version ${version} is in force. ${way}`;
}

function addCharge(sql: Statements, key: string, { scope, money, amount }: Charge): void {
  sql.charge.run(key, nameOf(scope), money, ...limbsOf(amount));
}

/** True for the end of a write that the ledger knows, and whose end it does not know. */
export function isNews(sql: Statements, { hash, generation }: End): boolean {
  const known = sql.byReference.get(hash, generation);
  return known !== undefined && known.state !== 'settled' && known.state !== 'released';
}

/**
 * Settles or releases a write whose end was read. True for an effect that came although an operator
 * or the service has said that there was none.
 */
export function endOne(sql: Statements, end: End, nowMs: number): boolean {
  const known = sql.byReference.get(end.hash, end.generation);
  if (known === undefined || !isNews(sql, end)) return false;
  const state = end.hadEffect ? 'settled' : 'released';
  sql.end.run(state, nowMs, end.transactionId, known.key);
  sql.endCharges.run(state, nowMs, known.key);
  // A write without effect may have cost a fee all the same.
  if (end.fee !== undefined) sql.endFee.run(...limbsOf(end.fee), nowMs, known.key);
  return (known.state === 'found' || known.state === 'unsent') && end.hadEffect;
}

/** Gives back the reservation of a write that an operator has found to be without effect. */
export function findOne(
  { sql, keyLifetimeMs }: Rules,
  { hash, generation, finding }: Reference & { finding: Finding },
  nowMs: number,
): void {
  const known = sql.byReference.get(hash, generation);
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
    const until = new Date(untilMs).toISOString();
    throw new LedgerError(`It may still be sent under its key, until ${until}. Wait until then.`);
  }
  sql.end.run('found', nowMs, null, key);
  sql.endCharges.run('released', nowMs, key);
  sql.find.run(key, nowMs, finding.person, finding.statement, finding.signature);
}

/** Counts an attempt without effect. With as many as were made, the reservation ends. */
export function giveBack(sql: Statements, key: string): void {
  sql.addClean.run(key);
  if (sql.giveBack.run(key).changes > 0) sql.dropCharges.run(key);
}
