import { type Form, formsOf, pieceMin } from './forms';

/** A secret, or a piece of one, in a place where it must not be. */
export type Find = { secret: string; form: string; where: string; around: string };

/** Searches text or bytes for each secret in each form and in pieces. */
export type Search = (where: string, haystack: string | Uint8Array) => Find[];

type Piece = { secret: string; form: string; text: string };

const aroundCharacters = 40;

/** Makes a search for these secrets. Finds show their names. Default: all forms. */
export function createSearch(
  secrets: Readonly<Record<string, string>>,
  forms: (secret: string) => Form[] = formsOf,
): Search {
  const pieces = piecesOf(secrets, forms);
  const starts = new Uint8Array(2 ** 24);
  for (const start of pieces.keys()) starts[startOf(Buffer.from(start, 'latin1'), 0)] = 1;
  return (where, haystack) => {
    const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : Buffer.from(haystack);
    const finds = new Map<string, Find>();
    for (let at = 0; at + pieceMin <= bytes.length; at++) {
      if (starts[startOf(bytes, at)] === 0) continue;
      for (const piece of pieces.get(bytes.toString('latin1', at, at + pieceMin)) ?? []) {
        const { secret, form, text } = piece;
        const name = `${secret} ${form}`;
        if (finds.has(name) || bytes.toString('latin1', at, at + text.length) !== text) continue;
        const around = bytes.toString(
          'latin1',
          Math.max(0, at - aroundCharacters),
          at + text.length,
        );
        finds.set(name, { secret, form, where, around });
      }
    }
    return [...finds.values()];
  };
}

/** Every piece of every form, by its first characters. */
function piecesOf(
  secrets: Readonly<Record<string, string>>,
  forms: (secret: string) => Form[],
): Map<string, Piece[]> {
  const pieces = new Map<string, Piece[]>();
  for (const [secret, value] of Object.entries(secrets)) {
    for (const { name: form, text, piece: length } of forms(value)) {
      if (text.length < length) throw new Error(`${secret} is too short to be searched for.`);
      for (let at = 0; at + length <= text.length; at++) {
        const piece = { secret, form, text: text.slice(at, at + length) };
        const start = piece.text.slice(0, pieceMin);
        pieces.set(start, [...(pieces.get(start) ?? []), piece]);
      }
    }
  }
  return pieces;
}

/** The first three bytes as a number. They alone rule out most places. */
function startOf(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}
