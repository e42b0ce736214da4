import { shownUrl } from './place';
import type { Contents } from './work';

/** The way out of a fault, by the code of the server or of the network, or by its own words. */
const ways: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^28/, 'its server refuses this user or password. Correct the URL'],
  [/^3D000$/, 'its server has no database of that name. Create it, or correct the URL'],
  [/^42501$/, 'this user may not use it. Grant it the schema <schema>'],
  [/^25006$/, 'its server is read-only. Name the one that accepts changes'],
  [/^(57014|55P03)$/, 'another process holds it locked. End that process, or wait for it'],
  [/^53[12]/, 'its server has no room left. Make room on its disk or in its memory'],
  [/^53300$/, 'its server has too many connections. Close some, or allow more'],
  [
    /^(08|57P0|25P0|E[A-Z]+$)|terminated|timeout/i,
    'the connection to its server was lost, or cannot be made. Start the server, or correct the URL',
  ],
];

/** Runs work in Postgres. Its faults become sentences, none of which has the password. */
export async function saying<T>(
  url: string,
  { name, schema, whenDamaged, Fault }: Contents,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (isOfAnother(error)) {
      const words = `The ${name} ${shownUrl(url)} has the form of another version.`;
      throw new Fault(`${words} ${whenDamaged}`);
    }
    throw new Fault(`The ${name} ${shownUrl(url)} cannot be used: ${wordsOf(error, schema)}.`);
  }
}

/** True where the tables lack a column, since another version has made them. */
function isOfAnother(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42703';
}

function wordsOf(error: unknown, schema: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const reason = error.message || code;
  const way = ways.find(([codes]) => codes.test(code || reason))?.[1];
  return way === undefined ? reason : `${way.replace('<schema>', schema)} (${reason})`;
}
