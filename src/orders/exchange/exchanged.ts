import type { z } from 'zod';
import { amount as amountField } from '../input/fields';
import { BadOrderError, readOrder } from '../input/read';
import { shown } from '../input/shown';
import { decimalsListed, decimalsOfCurrency, tokensFor } from './convert';
import { type DayRate, type Exchange, exchange, isCurrency } from './exchange';

/** An amount in a currency that is to be paid in a token. */
export type CurrencyAmount = Pick<Exchange, 'amount' | 'currency'> & { token: string };

/** The fields of an order, or of a line, that an amount in a currency becomes. */
export type Exchanged = { amount: string; token: string; exchange: Exchange };

/**
 * Turns an amount in a currency into the fields of an order or of a payout line. The amount of the
 * token is rounded to its nearest base unit, a half to the even one. The exchange is kept with it.
 * `rate` is the number of token units for one unit of the currency, as a decimal string. Throws a
 * BadOrderError that names the amount, the currency, the token or the rate that is wrong.
 */
export function exchanged(asked: CurrencyAmount & DayRate): Exchanged {
  const { token: _, ...own } = asked;
  const made = exchangeAt(asked, readOrder(exchange, own));
  if ('fault' in made) throw new BadOrderError(`${made.field}: ${made.fault}`);
  return made;
}

/** A fault of an amount in a currency, and the field that has it. */
export type AskedFault = { field: 'amount' | 'currency' | 'token'; fault: string };

/** The fault of an amount in a currency, whatever its rate. */
function askedFault({ amount, currency, token }: CurrencyAmount): AskedFault | undefined {
  if (!isCurrency(currency)) {
    const way = 'give three capitals such as "EUR"';
    return { field: 'currency', fault: `${shown(currency)} is no currency of ISO 4217: ${way}.` };
  }
  const wrong = amountField.safeParse(amount).error?.issues[0];
  if (wrong !== undefined) {
    return { field: 'amount', fault: `${shown(amount)} ${wrong.message}.` };
  }
  const [places, has] = [amount.split('.')[1]?.length ?? 0, decimalsOfCurrency(currency)];
  if (places > has) {
    const may = has === 0 ? 'none' : has;
    return {
      field: 'amount',
      fault: `${shown(amount)} has ${places} decimals, but ${currency} has ${may}.`,
    };
  }
  if (decimalsListed(token) !== undefined) return undefined;
  const fault =
    `${shown(token)} is no token that a network lists, so its decimals are not known. ` +
    'Give its amount in the token itself.';
  return { field: 'token', fault };
}

/** Exchanges an amount at a rate that was read before, or tells the field that has a fault. */
export function exchangeAt(
  asked: CurrencyAmount,
  { rate, day, source }: DayRate,
): Exchanged | AskedFault {
  const fault = askedFault(asked);
  if (fault !== undefined) return fault;
  const { amount, currency, token } = asked;
  const beside = source === undefined ? {} : { source };
  const kept = readOrder(exchange, { amount, currency, rate, day, ...beside });
  const bought = tokensFor(kept, decimalsListed(token) ?? 0);
  if (bought !== '0') return { amount: bought, token, exchange: kept };
  const small = `is not even half of the smallest unit of ${token}. Give more.`;
  return { field: 'amount', fault: `${amount} ${currency} ${small}` };
}

/** Adds the fault of an exchange that does not give the amount that it stands beside. */
export function checkExchange(
  order: { amount: string; token: string; exchange?: Exchange | undefined },
  context: z.RefinementCtx,
): void {
  const { exchange: kept, token, amount } = order;
  // An amount with a fault of its own says enough.
  if (kept === undefined || context.issues.length > 0) return;
  const decimals = decimalsListed(token);
  const gives = decimals === undefined ? undefined : tokensFor(kept, decimals);
  if (gives === amount) return;
  const message =
    gives === undefined
      ? `needs a token that a network lists, and ${token} is none`
      : `gives ${gives} ${token}, and not the amount of ${amount}`;
  context.addIssue({ code: 'custom', path: ['exchange'], message });
}
