import { readMoment } from '../../books/chain/period';
import { limitMax } from '../../client/find/orderList';
import { address } from '../../orders/input/fields';
import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';

/** The address of a flag, with its checksum. */
export function readAddress(flag: string, given: unknown): string {
  const { data, error } = address.safeParse(given);
  if (data !== undefined) return data;
  throw new InputError(`${flag}: ${shown(given)} ${error?.issues[0]?.message}.`);
}

/** The amount of a flag, in the token's own units. */
export function readDecimal(flag: string, given: unknown): string {
  if (/^\d+(\.\d+)?$/.test(String(given))) return String(given);
  throw new InputError(`${flag}: ${shown(given)} must be a plain number, such as 12.50.`);
}

/** The time of --since: a day in UTC, or an ISO 8601 time. */
export function readSince(given: unknown): string {
  return new Date(readMoment('--since', String(given))).toISOString();
}

/** A number of rows, up to the most that a list can have. */
export function wholeNumber(flag: string, given: unknown): number {
  const number = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0;
  if (number >= 1 && number <= limitMax) return number;
  throw new InputError(`${flag}: ${shown(given)} must be a whole number from 1 to ${limitMax}.`);
}
