import { z } from 'zod';
import { table } from './frame';
import { type Html, html, type PagePart } from './html';

/** Rows of a list on a page. */
const pageRows = 100;

const words = z.string().max(200).default('');
const page = z.coerce.number().int().min(1).max(100_000).default(1);

/** The lists of a page as its address has them: a search in each, the page of it, and a choice. */
export const search = z.object({
  q: words,
  page,
  finding: words,
  findingPage: page,
  change: words,
  changePage: page,
  beside: z.string().max(1_000).default(''),
});
export type PageSearch = z.output<typeof search>;

/** The fields of the address that are of one list. */
const fieldsOf = {
  lines: { q: 'q', page: 'page' },
  findings: { q: 'finding', page: 'findingPage' },
  changes: { q: 'change', page: 'changePage' },
} as const;

/** A list that can be searched, a page of it. It works without the script. */
export function searched<Item>(
  items: readonly Item[],
  list: {
    /** Undefined for the only list of a page. */
    name?: keyof typeof fieldsOf;
    title: string;
    /** Stands above the search. */
    lead?: PagePart;
    /** The words before the field of the search. */
    label?: string;
    path: string;
    columns: readonly string[];
    /** The texts that a search looks at. */
    textsOf: (item: Item) => readonly string[];
    cellsOf: (item: Item) => readonly PagePart[];
  },
  asked: PageSearch,
): Html {
  const { name = 'lines', title, lead, label = 'Search lines', path, columns, ...of } = list;
  const fields = fieldsOf[name];
  const [q, number] = [asked[fields.q], asked[fields.page]];
  const wanted = q.toLowerCase();
  const isFound = (text: string): boolean => text.toLowerCase().includes(wanted);
  const found = items.filter((item) => of.textsOf(item).some(isFound));
  const first = (number - 1) * pageRows;
  const rows = found.slice(first, first + pageRows).map(of.cellsOf);
  const others = Object.entries(asked).filter(([field, value]) => {
    return field !== fields.q && field !== fields.page && value !== '' && value !== 1;
  });
  const to = (page: number): string => {
    const own = new URLSearchParams({ [fields.q]: q, [fields.page]: String(page) });
    for (const [field, value] of others) own.set(field, String(value));
    return `${path}?${own}`;
  };
  const kept = others.map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  );
  return html`<h2 id="${name}">${title}</h2>
${lead}
<form class="actions" method="get" action="${path}#${name}" role="search">${kept}
<label>${label} <input type="search" name="${fields.q}" value="${q}"></label>
<button>Search</button>
</form>
${table(`${found.length} of ${items.length}`, columns, rows)}
<p>${number > 1 && html`<a href="${to(number - 1)}#${name}">Before</a> `}
${first + pageRows < found.length && html`<a href="${to(number + 1)}#${name}">Next</a>`}</p>`;
}
