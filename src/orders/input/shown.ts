const charactersMax = 80;

/** API keys, plain or as base64, and texts that may be an entity secret or a private key. */
const secrets = [
  { form: /(TEST|LIVE)_API_KEY:[^"\s]*/g, shown: '<API key>' },
  { form: /(VEVTVF9BUElfS0VZ|TElWRV9BUElfS0VZ)[\w+/=-]*/g, shown: '<API key>' },
  { form: /(?=\d*[a-f])(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi, shown: '<64 hexadecimal digits>' },
];

/** Invisible characters, and letters that look like Latin ones. They are shown by their numbers. */
const deceptive =
  /(?! )[\p{C}\p{Z}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\uff00-\uffef]/gu;

/** Shows a value in a sentence: as JSON on one line, shortened, and without secrets. */
export function shown(value: unknown): string {
  return cut(deceptionless(concealed(inJson(value))));
}

/** Shows another program's words, shortened and without secrets. */
export function quoted(text: string): string {
  return cut(deceptionless(concealed(text)), 200);
}

/** Shows a field's path. A field that is no plain word is shown as a value. */
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

/** A value as JSON. A caller's value need not be JSON: a bigint is not, and neither is a cycle. */
export function inJson(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'symbol') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return 'an object that is not JSON';
  }
}
