const charactersMax = 80;

/** An API key as it is or as base64, and what may be an entity secret or a private key. */
const secrets = [
  { form: /(TEST|LIVE)_API_KEY:[^"\s]*/g, shown: '<API key>' },
  { form: /(VEVTVF9BUElfS0VZ|TElWRV9BUElfS0VZ)[\w+/=-]*/g, shown: '<API key>' },
  { form: /(?=\d*[a-f])(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi, shown: '<64 hexadecimal digits>' },
];

/** What cannot be seen, and letters that look like Latin ones: only their numbers tell them apart. */
const deceptive =
  /(?! )[\p{C}\p{Z}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\uff00-\uffef]/gu;

/**
 * A value as a sentence shows it: as JSON, on one line, cut where it is long, and without what has
 * the form of a secret.
 */
export function shown(value: unknown): string {
  return cut(deceptionless(concealed(inJson(value))));
}

/** Another program's words, without what has the form of a secret, and cut where they are long. */
export function quoted(text: string): string {
  return cut(deceptionless(concealed(text)), 200);
}

/** A field as a sentence names it: as it is, or as a value where it is no plain word. */
export function shownField(path: readonly PropertyKey[]): string {
  const isPlain = (key: string): boolean => /^[\w./-]{1,63}$/.test(key);
  return path.map((key) => (isPlain(String(key)) ? String(key) : shown(key))).join('.');
}

function concealed(text: string): string {
  return secrets.reduce((left, { form, shown: name }) => left.replace(form, name), text);
}

function deceptionless(text: string): string {
  return text.replace(deceptive, byNumber);
}

/** A letter by the numbers that JSON writes it with. */
export function byNumber(letter: string): string {
  const number = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return letter.split('').map(number).join('');
}

function cut(text: string, max = charactersMax): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** What a program hands over need not be JSON: a bigint is not, nor is what contains itself. */
export function inJson(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'symbol') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return 'an object that is no JSON';
  }
}
