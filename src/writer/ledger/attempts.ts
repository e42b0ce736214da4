import { batchedGenerationMax, markOf } from '../../custody/batch';
import type { KeyParts } from '../../custody/idempotencyKey';
import { batchesHash, refHash } from '../../custody/reference';
import type { LineTarget } from '../../orders/payout/lineTarget';
import type { Work } from '../../store/work';
import type { SignedRequest } from './decision';
import { rejectedBy, withdrawn } from './decisions';
import type { Reservation } from './ledger';
import { sql } from './statements';
import { amountOf, limbsOf } from './tables';

/** The step of a payout's single lines. */
export const lineStep = 'line';

/** An attempt at a write or a line, in a write of its own or in a batch. */
type Attempt = { generation: number; state: unknown };

const letOut = 'It was let out before, by itself or in a batch.';

/** An attempt that failed alone in its batch, as the chain has proven. */
const unpaid = 'unpaid';

/**
 * The reason why a generation is not let out. Its reference must be unused, by itself and in
 * batches. The generation before it must have ended without effect. No later generation may have
 * been sent, and no earlier one may have had an effect.
 */
export function* attemptFault({
  hash,
  parts,
  about,
}: Pick<Reservation, 'hash' | 'parts' | 'about'>): Work<string | undefined> {
  const attempts = yield* attemptsAt(hash, parts);
  const { generation } = parts;
  const own = statesAt(attempts, generation);
  if (own.includes('burnt'))
    return 'The service has a record of it that this ledger does not know.';
  if (about !== undefined) return undefined;
  if (own.some(isSent)) return letOut;
  const later = attempts.find((one) => one.generation > generation && isSent(one.state));
  if (later !== undefined) return `Its generation ${later.generation} was sent, and is later.`;
  if (generation === 0) return undefined;
  const before = statesAt(attempts, generation - 1);
  if (before.includes('burnt')) {
    return `The service has a record of its generation ${generation - 1} that this ledger lacks.`;
  }
  const effective = attempts.find((one) => one.generation < generation && mayHaveEffect(one.state));
  if (effective !== undefined) return endless(generation, effective.generation);
  // A generation that was refused says nothing of those before it.
  return before.length > 0 ? undefined : endless(generation, generation - 1);
}

function endless(generation: number, before: number): string {
  const needed = `an end without effect of generation ${before}`;
  return `Its generation ${generation} needs ${needed}, and this writer has seen none.`;
}

function statesAt(attempts: readonly Attempt[], generation: number): unknown[] {
  return attempts.filter((one) => one.generation === generation).map(({ state }) => state);
}

function isSent(state: unknown): boolean {
  return state !== 'unsent' && state !== 'refused';
}

function mayHaveEffect(state: unknown): boolean {
  return ['open', 'settled', 'burnt'].some((one) => one === state);
}

/** All attempts of a reference. Attempts at a line of a payout may have been in batches. */
function* attemptsAt(hash: string, parts: KeyParts): Work<Attempt[]> {
  const alone = (yield* sql.attempts.all(hash)).map(({ generation, state }) => {
    return { generation: Number(generation), state };
  });
  if (parts.step !== lineStep) return alone;
  const { workflowId, item } = parts;
  const marks = marksOf(workflowId, item);
  const rows = yield* sql.batched.all(batchesHash(workflowId), ...marks);
  const batched = rows.map(({ mark, isUnpaid, state }) => {
    const at = marks.indexOf(String(mark));
    // A batch that cannot be read may have paid any line, in any generation.
    const generation = at === -1 ? parts.generation : at;
    // A mark that no write of this ledger has made is one of the service's list.
    return { generation, state: Number(isUnpaid) === 1 ? unpaid : (state ?? 'burnt') };
  });
  return [...alone, ...batched];
}

/** The marks of a line, one for each generation that may have been in a batch. */
export function marksOf(workflowId: string, lineId: string): string[] {
  return Array.from({ length: batchedGenerationMax + 1 }, (_, generation) =>
    markOf(workflowId, lineId, generation),
  );
}

/** The lines of a batch that are not let out in it, by their places, and the reason. */
export function* linesApart({
  parts,
  lines = [],
  request,
}: Reservation): Work<{ words: string; apart: number[] } | undefined> {
  const { workflowId } = parts;
  const rejections = lines.length === 0 ? [] : yield* sql.rejectedIn.all(workflowId);
  const rejected = new Map(rejections.map(({ path, person }) => [path, String(person)]));
  const faults: string[] = [];
  const apart: number[] = [];
  for (const [at, { mark, line }] of lines.entries()) {
    const fault = yield* line === undefined
      ? markFault(workflowId, mark)
      : lineFault(line, { workflowId, request, rejected });
    if (fault === undefined) continue;
    faults.push(`${line?.lineId ?? `payment ${at}`}: ${fault}`);
    apart.push(at);
  }
  const [first] = faults;
  return first === undefined ? undefined : { words: `Of its lines, ${first}`, apart };
}

type OfLines = {
  workflowId: string;
  request: SignedRequest | undefined;
  /** People who have rejected a line, by its path. */
  rejected: ReadonlyMap<unknown, string>;
};

function* lineFault(
  { lineId: item, generation }: LineTarget,
  { workflowId, request, rejected }: OfLines,
): Work<string | undefined> {
  const parts = { workflowId, step: lineStep, item, generation };
  const person = rejected.get(`${lineStep}/${item}`);
  // People decide about such a line by itself.
  if (person !== undefined) return rejectedBy(person);
  const gone = request && (yield* withdrawn({ ...request, lineId: item }));
  if (gone !== undefined) return gone;
  return yield* attemptFault({ hash: refHash(parts), parts });
}

/** Only the mark is known of a payout that nobody has signed. */
function* markFault(workflowId: string, mark: string): Work<string | undefined> {
  const known = yield* sql.isMarked.get(batchesHash(workflowId), mark);
  return known === undefined ? undefined : letOut;
}

/**
 * Keeps the attempts at lines that a batch makes. Its marks count for its own payout alone: without
 * a signature, nobody checks which line a mark is of.
 */
export function* addLines({ key, parts, lines = [] }: Reservation): Work<void> {
  const payout = batchesHash(parts.workflowId);
  for (const { mark, money, amount } of lines) {
    yield* sql.addLine.run(payout, mark, key, money, String(amount));
  }
}

/** Takes payments that failed alone out of the sums of their batch. */
export function* leaveUnpaid(transactionId: string, marks: readonly string[]): Work<void> {
  for (const mark of marks) {
    for (const { key, money, amount } of yield* sql.settledLines.all(transactionId, mark)) {
      for (const charge of yield* sql.chargesOf.all(key)) {
        if (charge.money !== money) continue;
        const rest = amountOf([charge.a, charge.b, charge.c, charge.d]) - BigInt(String(amount));
        yield* sql.setCharge.run(...limbsOf(rest), key, charge.scope, money);
      }
      yield* sql.leaveUnpaid.run(key, mark);
    }
  }
}
