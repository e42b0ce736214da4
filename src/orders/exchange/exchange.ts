import { z } from 'zod';
import { amount } from '../input/fields';

/** More digits than any rate needs, on each side of its point. */
const rateForm = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/;
/** Kept with each of a thousand lines of a part. */
const sourceMax = 60;

/** A rate: units of a token for one unit of a currency, exact and above zero. */
export const exchangeRate = z
  .string()
  .refine((text) => rateForm.test(text) && /[1-9]/.test(text), {
    error:
      'is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before ' +
      'the point and 18 behind it',
  })
  .meta({ pattern: rateForm.source })
  .describe('Units of the token for one unit of the currency.');

/** The words for where a rate is from. */
export const rateSource = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, { error: 'is empty, or has a control character' })
  .max(sourceMax)
  .describe('Where the rate is from.');

/** A currency of ISO 4217 that has money. XXX and XTS have none. */
export const currency = z
  .string()
  .refine(isCurrency, { error: 'is no currency of ISO 4217: give three capitals such as "EUR"' });

/** The amount in a currency that an amount of a token was made from. It decides no payment. */
export const exchange = z
  .strictObject({
    amount: amount.meta({ description: 'In the currency.' }),
    currency,
    rate: exchangeRate,
    day: z.iso
      .date({ error: 'must be a day such as "2026-01-31"' })
      .describe('The day of the rate.'),
    source: rateSource.optional(),
  })
  .describe('The amount in a currency, and the rate that gave the amount. It decides no payment.');
export type Exchange = z.output<typeof exchange>;

/** An exchange as results and receipts have it. */
export const exchangeKept = z
  .object({
    amount: z.string(),
    currency: z.string(),
    rate: z.string(),
    day: z.string(),
    source: z.string().optional(),
  })
  .describe('The amount in a currency, and its rate, as it was ordered.');

/** A rate of one day. */
export type DayRate = Pick<Exchange, 'rate' | 'day'> & { source?: string | undefined };

/** True for the code of a currency that has money. */
export function isCurrency(code: string): boolean {
  return codes.has(code);
}

const codes = new Set(
  Intl.supportedValuesOf('currency').filter((code) => !/^X(XX|TS)$/.test(code)),
);

/** An exchange in words: "1200 EUR at 1.0812, the rate of 2026-01-30 (ECB)". */
export function exchangeInWords({ amount: asked, currency: code, ...kept }: Exchange): string {
  const source = kept.source === undefined ? '' : ` (${kept.source})`;
  return `${asked} ${code} at ${kept.rate}, the rate of ${kept.day}${source}`;
}
