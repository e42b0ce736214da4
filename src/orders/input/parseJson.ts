import { shown } from './shown';

/** Strings and marks of JSON. Numbers and words stand between them. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

type Open = { names: Set<string> | undefined; key: string | number };

/** A name that an object of a JSON text gives twice. */
export class RepeatedName extends Error {
  /** The object's place in the text. */
  readonly path: readonly (string | number)[];

  constructor({ name, path }: { name: string; path: readonly (string | number)[] }) {
    super(`${shown(name)} is there twice, so that nobody knows which is meant. Leave one.`);
    this.path = path;
  }
}

/**
 * Parses JSON. Throws a RepeatedName for a name that is given twice. JSON.parse keeps the
 * last value of such a name, and other programs keep the first.
 */
export function parseJson(json: string): unknown {
  const value: unknown = JSON.parse(json);
  const repeated = repeatedName(json);
  if (repeated !== undefined) throw new RepeatedName(repeated);
  return value;
}

/** The first name that an object gives twice, with the object's place. The text is valid JSON. */
function repeatedName(json: string): { name: string; path: (string | number)[] } | undefined {
  const open: Open[] = [];
  let text: string | undefined;
  for (const [token] of json.matchAll(tokens)) {
    const top = open.at(-1);
    if (token === '{') open.push({ names: new Set(), key: '' });
    else if (token === '[') open.push({ names: undefined, key: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof top?.key === 'number') top.key += 1;
    else if (token === ':' && top?.names !== undefined) {
      const name = String(JSON.parse(text ?? '""'));
      if (top.names.has(name)) {
        return { name, path: open.slice(0, -1).map(({ key }) => key) };
      }
      top.names.add(name);
      top.key = name;
    }
    text = token;
  }
  return undefined;
}
