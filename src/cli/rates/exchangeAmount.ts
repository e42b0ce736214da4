import { converter } from '../../books/rates/convert';
import { token as tokenField } from '../../orders/input/fields';
import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import type { Fields } from '../order/fields';
import { ratesIn } from './ratesFlags';

/** An amount with the code of a currency behind it: "1200 EUR". */
const inCurrencyForm = /^(\S+)\s+([A-Za-z]{3})$/;

/**
 * Turns an amount such as "1200 EUR" into one of the order's token, by the rates of --rates. The
 * order keeps the exchange. Throws an InputError for an amount and rates that do not go together.
 */
export function exchangeAmount(order: Fields, flags: Flags): Fields {
  const given = ratesIn(flags);
  const [, amount, currency] = inCurrencyForm.exec(String(order.amount ?? '').trim()) ?? [];
  if (amount === undefined || currency === undefined) {
    if (given === undefined) return order;
    throw new InputError(
      `--amount: ${shown(order.amount)} names no currency, and --rates is given. Give such as "1200 EUR".`,
    );
  }
  if (given === undefined) {
    throw new InputError(
      `--amount: ${shown(order.amount)} is in a currency. Give its rates with --rates, or the amount ` +
        'in the token alone.',
    );
  }
  if (flags.sequence === true) {
    throw new InputError('--rates: has no meaning with --sequence. Give the amount in the token.');
  }
  const token = order.token === undefined ? undefined : tokenField.safeParse(order.token);
  // A wrong token is told in its own words.
  if (token?.success === false) return { ...order, amount };
  const made = converter(given.rates, given.day)({ amount, currency, token: token?.data });
  if (!('fault' in made)) return { ...order, ...made };
  throw new InputError(`--${made.field === 'token' ? 'token' : 'amount'}: ${made.fault}`);
}
