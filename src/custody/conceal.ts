const hidden = '<secret>';
/** A piece of a secret is hidden from this length on, in any form. Less of it is of no use. */
const pieceCharacters = 12;

/**
 * The text without the secrets, whichever way a stranger has written them: as they are, escaped,
 * as base64 or hex, whole or cut to pieces. A proxy's page may repeat all that it was sent, and
 * what is thrown here is kept in histories and logs.
 */
export function conceal(text: string, secrets: readonly string[]): string {
  return concealer(secrets)(text);
}

/** The same for many texts: what is looked for is made once. */
export function concealer(secrets: readonly string[]): (text: string) => string {
  const pieces = new Set(secrets.flatMap(valuesOf).flatMap(formsOf).flatMap(piecesOf));
  return (text) => (pieces.size === 0 ? text : without(text, pieces));
}

function without(text: string, pieces: ReadonlySet<string>): string {
  const isPiece = (at: number): boolean => pieces.has(text.slice(at, at + pieceCharacters));
  let shown = '';
  for (let at = 0; at < text.length; ) {
    if (!isPiece(at)) {
      shown += text.charAt(at);
      at += 1;
      continue;
    }
    while (isPiece(at + 1)) at += 1;
    at += pieceCharacters;
    shown += hidden;
  }
  return shown;
}

/**
 * A whole answer without the secrets in plain: what a record repeats of the request must not get
 * into a history. It is quick enough for the largest list, which `conceal` is not.
 */
export function concealWhole(text: string, secrets: readonly string[]): string {
  const whole = secrets.flatMap((secret) => [secret, inJson(secret)]);
  return whole.reduce((shown, secret) => shown.replaceAll(secret, hidden), text);
}

const keyPrefix = /^(TEST|LIVE)_API_KEY:/;

/** The secret part of a key. An API key comes plain or as base64, and all keys share a prefix. */
function valuesOf(secret: string): string[] {
  const decoded = Buffer.from(secret, 'base64').toString('utf8');
  const given = secret.replace(keyPrefix, '');
  return keyPrefix.test(decoded) ? [given, decoded.replace(keyPrefix, '')] : [given];
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => inBase64(bytes, offset));
  const json = inJson(value);
  const texts = [value, json, inJson(json), encodeURIComponent(value)];
  return [...texts, hex, hex.toUpperCase(), ...base64];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As it looks where so many bytes of something else precede it in a group of three. */
function inBase64(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  // The first and last digits also depend on the neighbours.
  const own = encoded.replace(/=+$/, '').slice(offset === 0 ? 0 : offset + 1, -1);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

function piecesOf(form: string): string[] {
  const count = Math.max(form.length - pieceCharacters + 1, 0);
  return Array.from({ length: count }, (_, at) => form.slice(at, at + pieceCharacters));
}
