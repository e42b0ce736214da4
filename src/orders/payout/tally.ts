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

/** Finer than any token, so that amounts of every token can be added. */
const decimals = 36;

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

/** Sums amounts by token. */
export function sumByToken(
  lines: readonly Pick<Counted, 'token' | 'amount'>[],
): Record<string, string> {
  const units = new Map<string, bigint>();
  for (const { token, amount } of lines) {
    units.set(token, (units.get(token) ?? 0n) + toBaseUnits(amount, decimals));
  }
  return Object.fromEntries(
    [...units].map(([token, sum]) => [token, fromBaseUnits(sum, decimals)]),
  );
}

type Coin = { address: string; decimals: number };

/**
 * True if the native coin and its twin token are one balance, as on Arc. In the sandbox they are
 * two. They are one if both show the same, as far as the twin's decimals show it. A wallet that
 * happens to hold the same of both counts as one too. At worst that holds money back, and it never
 * spends it twice. Holdings are in base units.
 */
export function isOneBalance(
  tokens: readonly Coin[],
  held: readonly (string | undefined)[],
  nativeTwins: readonly string[],
): boolean {
  const twins = nativeTwins.map((twin) => twin.toLowerCase());
  const nativeAt = tokens.findIndex(({ address }) => address === '');
  const twinAt = tokens.findIndex(({ address }) => twins.includes(address.toLowerCase()));
  const [native, twin] = [tokens[nativeAt], tokens[twinAt]];
  const [ofNative, ofTwin] = [held[nativeAt], held[twinAt]];
  if (!native || !twin || ofNative === undefined || ofTwin === undefined) return false;
  return BigInt(ofNative) / 10n ** BigInt(native.decimals - twin.decimals) === BigInt(ofTwin);
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
