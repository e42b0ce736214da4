import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';

/** Number of lines in one shard. Its state and its history stay small. */
export const partLinesMax = 500;

/** The way on after a refused seal: for the command line, the client and any other language. */
export const sealAgain =
  'Then seal it again: repeat the command or the call `payout`, or send the update `seal`.';

/** Outcomes of the lines of a part, or of a whole payout. Pure: workflows import it. */
export type Tally = {
  lines: number;
  paid: number;
  failed: number;
  unknown: number;
  skipped: number;
  /** Sum of the paid lines by token, in its own units. */
  amounts: Record<string, string>;
};

type Counted = {
  outcome: 'paid' | 'failed' | 'unknown' | 'skipped' | 'waiting';
  token: string;
  amount: string;
};

/** Decimals that are finer than any token, so that amounts of every token can be added. */
export const finest = 36;

/** Counts lines by their outcomes. */
export function tallyOf(lines: readonly Counted[]): Tally {
  const count = (outcome: Counted['outcome']): number =>
    lines.filter((line) => line.outcome === outcome).length;
  const paid = lines.filter(({ outcome }) => outcome === 'paid');
  return {
    lines: lines.length,
    paid: paid.length,
    failed: count('failed'),
    unknown: count('unknown'),
    skipped: count('skipped'),
    amounts: sumByToken(paid),
  };
}

/** Number of lines that have not ended: they are pending, or wait to be sent. */
export function waitingIn({
  lines,
  paid,
  failed,
  unknown,
  skipped,
}: Omit<Tally, 'amounts'>): number {
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

/** A count in words: "1 line", "2 lines". */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** Adds several sums by token. */
export function sumOfSums(sums: readonly Record<string, string>[]): Record<string, string> {
  return sumByToken(
    sums.flatMap((sum) => Object.entries(sum).map(([token, amount]) => ({ token, amount }))),
  );
}
