import { isRecord } from '../../../src/custody/isRecord';

/** A JSON object with unknown fields. */
export type Json = Record<string, unknown>;

/** The object at a place in the document. Throws when there is none, as after a typing error. */
export function lookUp(document: Json, at: readonly string[]): Json {
  let place: unknown = document;
  for (const key of at) place = isRecord(place) ? place[key] : undefined;
  if (!isRecord(place)) throw new Error(`The description has nothing at ${at.join('/')}.`);
  return place;
}
