import { type AskedFault, type Exchanged, exchangeAt } from '../../orders/exchange/exchanged';
import { findRate, type RatesFile } from './rates';

/** An amount in a currency. Without a token, its currency has rates in one token alone. */
export type ToConvert = { amount: string; currency: string; token: string | undefined };

/** Turns an amount in a currency into one of a token, or tells the field that has a fault. */
export type Convert = (asked: ToConvert) => Exchanged | AskedFault;

/** Converts by the rates of a file that count on one day. */
export function converter(rates: RatesFile, day: string): Convert {
  return ({ amount, currency, token: named }) => {
    const [only, ...others] = rates.tokensOf(currency);
    if (named === undefined && others.length > 0) {
      const tokens = rates.tokensOf(currency).join(' and ');
      const fault = `is missing. ${rates.path} has rates of ${currency} in ${tokens}. Name one.`;
      return { field: 'token', fault };
    }
    const token = named ?? only;
    if (token === undefined) {
      const has = `It has rates of ${rates.currencies.join(', ')}.`;
      return { field: 'currency', fault: `${rates.path} has no rate of ${currency}. ${has}` };
    }
    const asked = { amount, currency, token };
    const found = findRate(rates, asked, day);
    if ('fault' in found) return { field: 'currency', fault: found.fault };
    return exchangeAt(asked, found.rate);
  };
}
