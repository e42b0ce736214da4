import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';

/** Number of lines in one shard. Its state and its history stay small. */
export const partLinesMax = 1_000;

/** The way on after a refused seal: for the command line, the client and any other language. */
export const wayToSeal =
  'Then seal it again: repeat the command or the call `payout`, or send the update `seal`.';

/** Outcomes of the lines of a part, or of a whole payout. Pure: workflows import it. */
export type Tally = {
  lines: number;
  paid: number;
  failed: number;
  unknown: number;
  skipped: number;
  /** Skipped lines that a person has skipped alone. Unset if there are none. */
  skippedAlone?: number | undefined;
  /** The paid lines that went in batches. Unset if none did. */
  batched?: Batched | undefined;
  /** Sum of the paid lines by token, in its own units. */
  amounts: Record<string, string>;
};

/** Lines that were paid in batches, and the gas that this has saved by the service's estimates. */
type Batched = { lines: number; batches: number; gasSaved: number };

type Counted = {
  outcome: 'paid' | 'failed' | 'unknown' | 'skipped' | 'waiting';
  token: string;
  amount: string;
  isSkippedAlone?: boolean | undefined;
  batch?: string | undefined;
  gasSaved?: number | undefined;
};

/** Decimals that are finer than any token, so that amounts of every token can be added. */
export const finest = 36;

/** Counts lines by their outcomes. */
export function tallyOf(lines: readonly Counted[]): Tally {
  const count = (outcome: Counted['outcome']): number =>
    lines.filter((line) => line.outcome === outcome).length;
  const paid = lines.filter(({ outcome }) => outcome === 'paid');
  const alone = lines.filter((line) => line.outcome === 'skipped' && line.isSkippedAlone).length;
  return {
    lines: lines.length,
    paid: paid.length,
    failed: count('failed'),
    unknown: count('unknown'),
    skipped: count('skipped'),
    ...(alone > 0 && { skippedAlone: alone }),
    ...batchedIn(lines),
    amounts: sumByToken(paid),
  };
}

/** The paid lines that share a batch. A line alone is in one for its memo. */
function batchedIn(lines: readonly Counted[]): { batched?: Batched } {
  const sizes = new Map<string, number>();
  for (const { batch } of lines) {
    if (batch !== undefined) sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  }
  const own = lines.filter(
    ({ outcome, batch }) => outcome === 'paid' && (sizes.get(batch ?? '') ?? 0) > 1,
  );
  if (own.length === 0) return {};
  const batches = new Set(own.map(({ batch }) => batch)).size;
  const gasSaved = own.reduce((sum, line) => sum + (line.gasSaved ?? 0), 0);
  return { batched: { lines: own.length, batches, gasSaved } };
}

/** Adds up what was paid in batches. Empty if nothing was. */
export function sumOfBatched(tallies: readonly Pick<Tally, 'batched'>[]): { batched?: Batched } {
  const all = tallies.flatMap(({ batched }) => batched ?? []);
  const sum = (field: keyof Batched): number =>
    all.reduce((total, batched) => total + batched[field], 0);
  if (all.length === 0) return {};
  return {
    batched: { lines: sum('lines'), batches: sum('batches'), gasSaved: sum('gasSaved') },
  };
}

/** Number of lines that have not ended: they are pending, or wait to be sent. */
export function waitingIn({
  lines,
  paid,
  failed,
  unknown,
  skipped,
}: Omit<Tally, 'amounts' | 'batched' | 'skippedAlone'>): number {
  return lines - paid - failed - unknown - skipped;
}

/** Sums amounts by token. */
export function sumByToken(
  lines: readonly Pick<Counted, 'token' | 'amount'>[],
): Record<string, string> {
  const units = new Map<string, bigint>();
  for (const { token, amount } of lines) {
    units.set(token, (units.get(token) ?? 0n) + toBaseUnits(amount, finest));
  }
  return Object.fromEntries([...units].map(([token, sum]) => [token, fromBaseUnits(sum, finest)]));
}

/** Adds several sums by token. */
export function sumOfSums(sums: readonly Record<string, string>[]): Record<string, string> {
  return sumByToken(
    sums.flatMap((sum) => Object.entries(sum).map(([token, amount]) => ({ token, amount }))),
  );
}
