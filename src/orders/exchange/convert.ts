import { networks } from '../../custody/networks/networks';
import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import { listedToken } from '../../custody/objects/money';
import type { Exchange } from './exchange';

/** Currencies of ISO 4217 by their decimals. All others have two. */
const codesByDecimals = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const usualDecimals = 2;
const decimalsByCode = new Map(
  Object.entries(codesByDecimals).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => [code, Number(decimals)]),
  ),
);

/** Decimals of the amounts of a currency. The standard has them, and a machine's locales differ. */
export function decimalsOfCurrency(code: string): number {
  return decimalsByCode.get(code) ?? usualDecimals;
}

/** Decimals of a token that some network lists. Undefined for any other one. */
export function decimalsListed(token: string): number | undefined {
  const known = Object.keys(networks).map((network) => listedToken(network, token));
  return known.find((one) => one !== undefined)?.decimals;
}

/**
 * The amount of a token for an amount of a currency: their exact product, to the nearest base unit.
 * Half a unit goes to the even one.
 */
export function tokensFor(
  { amount: asked, rate: per }: Pick<Exchange, 'amount' | 'rate'>,
  decimals: number,
): string {
  const [units, by] = [wholeOf(asked), wholeOf(per)];
  const product = units.whole * by.whole * 10n ** BigInt(decimals);
  return fromBaseUnits(nearest(product, 10n ** BigInt(units.places + by.places)), decimals);
}

/**
 * The value of base units of a token in a currency: divided by the rate, to the nearest unit that
 * the currency has. Half a unit goes to the even one.
 */
export function worthOf(
  { baseUnits, decimals }: { baseUnits: bigint; decimals: number },
  { rate: per, currency: code }: Pick<Exchange, 'rate' | 'currency'>,
): string {
  const places = decimalsOfCurrency(code);
  const by = wholeOf(per);
  const isOwed = baseUnits < 0n;
  const units = (isOwed ? -baseUnits : baseUnits) * 10n ** BigInt(places + by.places);
  const value = nearest(units, by.whole * 10n ** BigInt(decimals));
  const written = fromBaseUnits(value, places);
  const [whole = '', part = ''] = written.split('.');
  const full = places === 0 ? whole : `${whole}.${part.padEnd(places, '0')}`;
  return isOwed && value !== 0n ? `-${full}` : full;
}

/** A quotient to the nearest whole number. A half goes to the even one. */
function nearest(units: bigint, by: bigint): bigint {
  const [whole, twice] = [units / by, (units % by) * 2n];
  const isUp = twice > by || (twice === by && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** A decimal as a whole number of its last place. */
function wholeOf(text: string): { whole: bigint; places: number } {
  const places = text.split('.')[1]?.length ?? 0;
  return { whole: toBaseUnits(text, places), places };
}
