import { shown } from '../orders/shown';
import { InputError } from './exit';
import type { Flags } from './orderCommand';

/** A list that was given as JSON in a flag; undefined when the flag was not given. */
export function readJsonList(flag: string, text: Flags[string]): unknown[] | undefined {
  if (text === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(String(text));
    if (Array.isArray(list)) return list;
  } catch {
    // Said below, with what it must look like.
  }
  throw new InputError(`${flag}: ${shown(text)} must be a JSON list, such as '["0x…", "5"]'.`);
}
