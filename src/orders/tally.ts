import { fromBaseUnits, toBaseUnits } from '../custody/amount';

/** As many lines as one shard carries: its state and its history stay small. */
export const partLinesMax = 500;

/** What the lines of a part, or of a whole payout, have come to. Pure: workflows import it. */
export type Tally = {
  lines: number;
  paid: number;
  failed: number;
  unknown: number;
  skipped: number;
  /** What was paid, by token, in its own units. */
  amounts: Record<string, string>;
};

type Counted = {
  outcome: 'paid' | 'failed' | 'unknown' | 'skipped' | 'waiting';
  token: string;
  amount: string;
};

/** Finer than any token, so that amounts of every token can be added up. */
const decimals = 36;

/** Counts lines by what they have come to. */
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

/** What amounts come to, by token. */
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
 * Whether the native coin and a token that is its twin are one balance with two faces, as on Arc;
 * in the sandbox they are two. They are where both show the same, down to what the twin can show. A
 * wallet that happens to hold as much of both is taken for such a one, too: counted together money
 * is held back at most, and never spent twice. What is held is in base units.
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

/** How many there are of something, in words: "1 line", "2 lines". */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** Several sums by token as one. */
export function sumOfSums(sums: readonly Record<string, string>[]): Record<string, string> {
  return sumByToken(
    sums.flatMap((sum) => Object.entries(sum).map(([token, amount]) => ({ token, amount }))),
  );
}
