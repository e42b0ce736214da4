import { createReadStream } from 'node:fs';
import { shown } from '../../../orders/input/shown';

/** A place in the file at which it cannot be paid, as a sentence with its path. */
export class Misfit extends Error {}

/** Stands in the text for each byte that is no letter of the encoding. */
export const lostLetter = '\ufffd';

/** Decodes bytes as they come. Called without bytes at the end. */
type Decode = (bytes?: Buffer) => string;

/** The text of an XML file, decoded as it declares. Refuses an encoding that is not known here. */
export async function* xmlText(path: string): AsyncGenerator<string, void> {
  let decode: Decode | undefined;
  for await (const bytes of createReadStream(path)) {
    decode ??= decoderOf(bytes);
    yield decode(bytes);
  }
  yield decode?.() ?? '';
}

const encodings: Readonly<Record<string, () => Decode>> = {
  'utf-8': () => whole('utf-8'),
  'utf-16le': () => whole('utf-16le'),
  'utf-16be': () => whole('utf-16be'),
  'us-ascii': () => single((text) => text.replace(/[\x80-\xff]/g, lostLetter)),
  'iso-8859-1': () => single((text) => text),
  'iso-8859-15': () => single((text) => text.replace(/[\xa4-\xbe]/g, euroLetter)),
  'windows-1252': () => single((text) => text.replace(/[\x80-\x9f]/g, windowsLetter)),
};

const otherNames: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  ascii: 'us-ascii',
  latin1: 'iso-8859-1',
  'iso8859-1': 'iso-8859-1',
  'latin-9': 'iso-8859-15',
  cp1252: 'windows-1252',
};

function whole(encoding: string): Decode {
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
}

/** One byte a letter. Control characters behind the ASCII letters are no text of anybody. */
function single(letters: (latin1: string) => string): Decode {
  return (bytes) => letters(bytes?.toString('latin1') ?? '').replace(/[\x80-\x9f]/g, lostLetter);
}

/** The letters of windows-1252 from byte 80 on. A blank has none. */
const windowsLetters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function windowsLetter(letter: string): string {
  const known = windowsLetters[letter.charCodeAt(0) - 0x80];
  return known === undefined || known === ' ' ? lostLetter : known;
}

/** Letters in which ISO-8859-15 differs from ISO-8859-1. */
const euroLetters: Readonly<Record<string, string>> = {
  '\xa4': '€',
  '\xa6': 'Š',
  '\xa8': 'š',
  '\xb4': 'Ž',
  '\xb8': 'ž',
  '\xbc': 'Œ',
  '\xbd': 'œ',
  '\xbe': 'Ÿ',
};

function euroLetter(letter: string): string {
  return euroLetters[letter] ?? letter;
}

/** The decoder for a file, by its first bytes and its declaration (XML 1.0, appendix F). */
function decoderOf(head: Buffer): Decode {
  const marked = markedEncoding(head);
  const text = new TextDecoder(marked ?? 'utf-8').decode(head.subarray(0, declarationBytes));
  const declared = /^\ufeff?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  const name = declared?.toLowerCase();
  const wanted = name === undefined ? undefined : (otherNames[name] ?? name);
  const isSame = wanted === undefined || wanted === marked;
  if (marked !== undefined && (isSame || (wanted === 'utf-16' && marked !== 'utf-8'))) {
    return make(marked, declared);
  }
  if (marked !== undefined || wanted?.startsWith('utf-16')) {
    throw new Misfit(
      `declares ${shown(declared)}, and its bytes are ${marked ?? 'not so'}. Save it as UTF-8.`,
    );
  }
  return make(wanted ?? 'utf-8', declared);
}

const declarationBytes = 512;

function make(encoding: string, declared: string | undefined): Decode {
  const known = Object.hasOwn(encodings, encoding) ? encodings[encoding] : undefined;
  if (known !== undefined) return known();
  throw new Misfit(
    `declares the encoding ${shown(declared)}, which is not read. Save it as UTF-8.`,
  );
}

/** The encoding that the first bytes show: a byte order mark, or zeros beside "<". */
function markedEncoding(head: Buffer): string | undefined {
  const first = head.toString('latin1', 0, 3);
  if (first === '\xef\xbb\xbf') return 'utf-8';
  if (first.startsWith('\xff\xfe') || first.startsWith('<\0')) return 'utf-16le';
  if (first.startsWith('\xfe\xff') || first.startsWith('\0<')) return 'utf-16be';
  return undefined;
}
