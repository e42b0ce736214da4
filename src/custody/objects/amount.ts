/**
 * Amounts of money: decimal strings outside, bigint base units inside, never a number, since a
 * double cannot hold 18 decimals. Imports nothing, so that workflows may use it.
 */

const decimalForm = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** More digits than any token supply has. Hostile input cannot become a huge bigint. */
export const digitsMax = 100;

/** The native coin of every chain, as nodes count it. */
export const coinDecimals = 18;

/** ERC-20 tells the decimals of a token in a uint8. */
const decimalsMax = 255;

/** True for plain ASCII decimals such as "12.50": no sign, no exponent, no leading zeros. */
export function isDecimal(text: string): boolean {
  return text.length <= digitsMax && decimalForm.test(text);
}

/**
 * Base units of a decimal amount: ("12.5", 6) is 12500000n.
 * Throws a RangeError when the text is not a decimal or has more decimals than the token, and for
 * decimals that no token has.
 */
export function toBaseUnits(amount: string, decimals: number): bigint {
  if (!isDecimal(amount)) throw new RangeError(`"${amount}" is not a decimal amount.`);
  refuseDecimals(decimals);
  const [whole = '', fraction = ''] = amount.split('.');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) {
    throw new RangeError(
      `"${amount}" has ${significant.length} decimals, but the token has ${decimals}.`,
    );
  }
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Base units of a text of somebody else. Undefined for what is no amount of such a token. */
export function unitsOfText(text: string, decimals: number): bigint | undefined {
  try {
    return toBaseUnits(text, decimals);
  } catch {
    return undefined;
  }
}

/**
 * The shortest decimal form: (12500000n, 6) is "12.5". Throws a RangeError for decimals that no
 * token has.
 */
export function fromBaseUnits(baseUnits: bigint, decimals: number): string {
  refuseDecimals(decimals);
  const digits = baseUnits.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * One of some equal shares of a decimal amount, by its place from 0. The shares add up to the
 * amount: what cannot be divided goes to the first ones. Undefined for what is no amount.
 */
export function shareOf(
  amount = '',
  { at, of, decimals }: { at: number; of: number; decimals: number },
): string | undefined {
  const [, fraction = ''] = amount.split('.');
  if (!isDecimal(amount) || fraction.length > decimals) return undefined;
  const [units, count] = [toBaseUnits(amount, decimals), BigInt(of)];
  const rest = BigInt(at) < units % count ? 1n : 0n;
  return fromBaseUnits(units / count + rest, decimals);
}

function refuseDecimals(decimals: number): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax) return;
  throw new RangeError(`decimals: ${decimals} must be a whole number from 0 to ${decimalsMax}.`);
}
