import { batchesHash } from '../../custody/reference';
import type { Work } from '../../store/work';
import { type OrderedCall, orderedCall } from '../call/ordered';
import { lineStep, marksOf } from './attempts';
import type { Attempt, Claim, Heard } from './claim';
import { sql } from './statements';

/** True for a word that changes what is known: a first one without effect, or one that takes it back. */
export function* isHeardFirst({ transactionId, claimsNoEffect }: Heard): Work<boolean> {
  const isKnown = (yield* sql.claim.get(transactionId)) !== undefined;
  if (isKnown || !claimsNoEffect) return isKnown !== claimsNoEffect;
  return (yield* sql.isWaiting.get(transactionId)) !== undefined;
}

/**
 * Notes since when a record has been said to have had no effect. Any other word ends that. A
 * write may have been released by the claim. If it is under way again, it is reserved again.
 */
export function* hear(word: Heard, nowMs: number): Work<void> {
  const { transactionId, claimsNoEffect, isFinal } = word;
  if (claimsNoEffect) return yield* sql.addClaim.run(transactionId, nowMs);
  yield* sql.dropClaim.run(transactionId);
  const own = yield* sql.writeOf.get(transactionId);
  if (isFinal || own?.state !== 'released') return;
  yield* sql.end.run('open', null, transactionId, own.key);
  yield* sql.endCharges.run('open', 0, own.key);
}

/** A claim, how long it has stood, and the write of this ledger that it is about. */
export function* claimOf(transactionId: string, nowMs: number): Work<Claim | undefined> {
  const row = yield* sql.claim.get(transactionId);
  if (row === undefined) return undefined;
  const claim = { transactionId, ageMs: nowMs - Number(row.sinceMs) };
  const own = yield* sql.writeOf.get(transactionId);
  if (own === undefined) return claim;
  return {
    ...claim,
    own: {
      hash: String(own.hash),
      generation: Number(own.generation),
      firstMs: Number(own.firstMs),
      call: yield* orderedAs(transactionId),
    },
  };
}

/** The earlier attempts at a write, or at the lines of a batch, whose end is not known. */
export function* openBefore({ hash, parts, lines: named = [] }: Attempt): Work<string[]> {
  const { workflowId, step, item: lineId, generation } = parts;
  const rows = [...(yield* sql.openBefore.all(hash, generation))];
  const lines = step === lineStep ? [{ lineId, generation }] : named;
  for (const line of lines) {
    if (line.generation === 0) continue;
    const marks = marksOf(workflowId, line.lineId);
    rows.push(...(yield* sql.openBatches.all(batchesHash(workflowId), ...marks)));
  }
  return [...new Set(rows.map(({ transactionId }) => String(transactionId)))];
}

/** The transaction that a write has asked for, by the id that the service gave it. */
export function* orderedAs(transactionId: string): Work<OrderedCall | undefined> {
  const own = yield* sql.writeOf.get(transactionId);
  return own && (yield* orderedUnder(String(own.key)));
}

/** The transaction that the first attempt under a key has asked for. */
export function* orderedUnder(key: string): Work<OrderedCall | undefined> {
  const row = yield* sql.orderedCall.get(key);
  return row && orderedCall.parse(JSON.parse(String(row.call)));
}
