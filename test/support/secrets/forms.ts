/** One way to write a secret, and how many characters of it count as a find. */
export type Form = { name: string; text: string; piece: number };

/** The least number of characters of a piece. Forms that lengthen a text need more. */
export const pieceMin = 16;

/** All ways in which a program may print a text: as it is, encoded, or escaped. */
export function formsOf(secret: string): Form[] {
  const text = Buffer.from(secret, 'utf8');
  return [
    ...textForms(secret),
    ...encodings('', text),
    // The 32 bytes behind an entity secret are as valuable as its digits.
    ...(/^([0-9a-f]{2}){32}$/.test(secret) ? byteForms(Buffer.from(secret, 'hex')) : []),
  ];
}

function textForms(secret: string): Form[] {
  const json = inJson(secret);
  const characters = [...secret];
  const each = (write: (code: number) => string): string =>
    characters.map((character) => write(character.charCodeAt(0))).join('');
  const hex4 = (code: number): string => code.toString(16).padStart(4, '0');
  return [
    { name: 'plain', text: secret, piece: 16 },
    { name: 'JSON', text: json, piece: 16 },
    { name: 'JSON in JSON', text: inJson(json), piece: 16 },
    { name: 'JSON with \\/', text: json.replaceAll('/', '\\/'), piece: 16 },
    { name: 'JSON with \\u', text: each((code) => `\\u${hex4(code)}`), piece: 48 },
    { name: 'JSON with \\U', text: each((code) => `\\u${hex4(code).toUpperCase()}`), piece: 48 },
    { name: 'URL', text: encodeURIComponent(secret), piece: 16 },
    { name: 'url', text: lowerEscapes(encodeURIComponent(secret)), piece: 16 },
    { name: 'URL, every character', text: each((code) => `%${hex2(code)}`), piece: 24 },
    { name: 'HTML', text: inHtml(secret, (code) => `&#${code};`), piece: 16 },
    { name: 'HTML, hex', text: inHtml(secret, (code) => `&#x${code.toString(16)};`), piece: 16 },
    { name: 'HTML, named', text: inNamedHtml(secret), piece: 16 },
  ];
}

/** Base64 has three variants, one for each offset of the secret in a group of three bytes. */
function encodings(prefix: string, bytes: Buffer): Form[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Characters that also depend on neighbouring bytes are removed at both ends.
    const whole = encoded.replace(/=+$/, '').slice(offset === 0 ? 0 : offset + 1);
    const text = (bytes.length + offset) % 3 === 0 ? whole : whole.slice(0, -1);
    const urlSafe = text.replaceAll('+', '-').replaceAll('/', '_');
    return [
      { name: `${prefix}base64, offset ${offset}`, text, piece: 16 },
      { name: `${prefix}base64url, offset ${offset}`, text: urlSafe, piece: 16 },
    ];
  });
  const hex = bytes.toString('hex');
  return [
    ...base64,
    { name: `${prefix}hex`, text: hex, piece: 16 },
    { name: `${prefix}HEX`, text: hex.toUpperCase(), piece: 16 },
  ];
}

function byteForms(bytes: Buffer): Form[] {
  return [
    { name: 'bytes', text: bytes.toString('latin1'), piece: 16 },
    ...encodings('its ', bytes),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inHtml(text: string, write: (code: number) => string): string {
  return text.replace(/[&<>"'/]/g, (character) => write(character.charCodeAt(0)));
}

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function inNamedHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase());
}

function hex2(code: number): string {
  return code.toString(16).padStart(2, '0').toUpperCase();
}
