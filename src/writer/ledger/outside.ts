import type { Reference } from '../../custody/reference';
import type { Work } from '../../store/work';
import { keepPayments } from '../payees/memory';
import type { Outside, Sighting } from './ledger';
import { addCharges } from './rules';
import { sql } from './statements';

/**
 * True for a record that is of no write of this ledger, and that tells something new. The
 * transaction that the ledger knows of a write is that write's, whatever its reference says. Each
 * other record with the write's reference is news.
 */
export function* isNews({ transactionId, reference, state }: Sighting): Work<boolean> {
  if ((yield* sql.writeOf.get(transactionId)) !== undefined) return false;
  const known = yield* sql.outside.get(transactionId);
  // Its word alone frees nothing.
  if (known !== undefined && state === 'claimed') return false;
  if (known !== undefined) return known.state !== 'settled' && known.state !== state;
  if (reference === undefined) return true;
  const { hash, generation } = reference;
  return (yield* sql.ownWrite.get(hash, generation, transactionId)) === undefined;
}

/**
 * Counts a payment of somebody else as its record stands now. Its reference is burnt, if it has the
 * form of one of ours. Nothing is sent under it. Two records of one write prove no more that
 * the write had no effect, so its next generation is not sent either. The same holds for the lines
 * of a batch.
 */
export function* enter(payment: Outside, nowMs: number): Work<void> {
  if (!(yield* isNews(payment))) return;
  const { transactionId, reference, state, endMs, charges, lines, payments = [] } = payment;
  if (reference !== undefined) yield* sql.burn.run(reference.hash, reference.generation);
  const key = keyOf(transactionId);
  for (const mark of lines?.marks ?? []) yield* sql.burnMark.run(lines?.payout, mark, key);
  yield* sql.setOutside.run(transactionId, state);
  yield* sql.dropCharges.run(key);
  yield* addCharges(key, charges);
  yield* keepPayments(key, payments, endMs || nowMs);
  if (state === 'settled') yield* sql.dropClaim.run(transactionId);
  if (endMs === undefined) return;
  // A moment that is none, or that has not come, is now.
  const atMs = Math.min(endMs || nowMs, nowMs);
  yield* sql.endCharges.run('settled', atMs, key);
}

/** The service has records of writes without an answer. */
export function* see(records: readonly (Reference & { transactionId: string })[]): Work<void> {
  for (const { transactionId, hash, generation } of records) {
    const write = yield* sql.isUnseen.get(hash, generation);
    if (write === undefined) continue;
    yield* sql.see.run(transactionId, hash, generation);
    yield* isOwnNow(transactionId, String(write.key));
  }
}

/** The service has accepted a write. */
export function* keepAccepted(key: string, transactionId: string): Work<void> {
  yield* sql.accept.run(transactionId, key);
  yield* isOwnNow(transactionId, key);
}

/** A transaction that was counted as somebody else's is one of a write of this ledger. */
function* isOwnNow(transactionId: string, key: string): Work<void> {
  const outside = keyOf(transactionId);
  yield* sql.leaveOutside.run(transactionId);
  yield* sql.dropCharges.run(outside);
  yield* sql.giveLines.run(key, outside);
}

/** No write has such a key, whatever id the list invents. */
function keyOf(transactionId: string): string {
  return `outside ${transactionId}`;
}
