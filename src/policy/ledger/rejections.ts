import type { KeyParts } from '../../custody/idempotencyKey';
import { allLines } from '../../custody/objects/approval';
import type { Work } from '../../store/work';
import type { Rejection } from './ledger';
import { sql } from './statements';

/** Keeps a rejection for ever. The first one of a write counts. */
export function* reject(
  { parts, isOfAll, person, signature }: Rejection,
  nowMs: number,
): Work<void> {
  const { workflowId, generation } = parts;
  const place = isOfAll ? [allLines, 0] : [pathOf(parts), generation];
  yield* sql.reject.run(workflowId, ...place, person, signature, nowMs);
}

/**
 * The rejection that stands against a write, as a sentence. That of all lines of a payout stands
 * against each of them. That of one write stands for its generation, and for each later one that
 * people have not approved again.
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

function pathOf({ step, item }: KeyParts): string {
  return `${step}/${item}`;
}
