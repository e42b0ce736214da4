import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A filter of Temporal UI that is worth keeping: a name, and a list query. */
export type View = { name: string; query: string };

const page = join(__dirname, '..', 'how-to', 'find-orders-in-temporal-ui.md');
const row = /^\| ([^|`]+) \| `([^`]+)` \|/gm;

/** The filters that the how-to proposes, from the table in it. */
export function proposedViews(): View[] {
  const rows = readFileSync(page, 'utf8').matchAll(row);
  return [...rows].map(([, name = '', query = '']) => ({ name, query }));
}
