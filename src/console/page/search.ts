import { z } from 'zod';
import { table } from './frame';
import { type Html, html, type Part } from './html';

/** Rows on a page. */
const pageRows = 100;

/** The search of a list, and the page of it, as an address has them. */
export const search = z.object({
  q: z.string().max(200).default(''),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
});
export type Search = z.output<typeof search>;

/** A list that can be searched, a page of it. It works without the script. */
export function searched<Item>(
  items: readonly Item[],
  list: {
    title: string;
    /** The words before the field of the search. */
    label?: string;
    path: string;
    columns: readonly string[];
    /** The texts that a search looks at. */
    textsOf: (item: Item) => readonly string[];
    cellsOf: (item: Item) => readonly Part[];
  },
  { q, page }: Search,
): Html {
  const { title, label = 'Search lines', path, columns, textsOf, cellsOf } = list;
  const wanted = q.toLowerCase();
  const found = items.filter((item) => textsOf(item).some((t) => t.toLowerCase().includes(wanted)));
  const first = (page - 1) * pageRows;
  const rows = found.slice(first, first + pageRows).map(cellsOf);
  const to = (number: number): string => `${path}?q=${encodeURIComponent(q)}&page=${number}`;
  return html`<h2>${title}</h2>
<form class="actions" method="get" action="${path}" role="search">
<label>${label} <input type="search" name="q" value="${q}"></label> <button>Search</button>
</form>
${table(`${found.length} of ${items.length}`, columns, rows)}
<p>${page > 1 && html`<a href="${to(page - 1)}">Before</a> `}
${first + pageRows < found.length && html`<a href="${to(page + 1)}">Next</a>`}</p>`;
}
