import { type Html, html, type PagePart } from './html';

/** A person who looks at a page, the token that their forms carry, and what they may do. */
export type Viewer = {
  person: string;
  csrf: string;
  isRequester?: boolean;
  isApprover?: boolean;
};

/** The pages of the head, in their order. */
const pages: readonly (readonly [path: string, name: string])[] = [
  ['/approvals', 'Approvals'],
  ['/payouts', 'Payouts'],
  ['/orders', 'Orders'],
  ['/wallets', 'Wallets'],
  ['/books', 'Books'],
  ['/health', 'Health'],
];

/** The page of those who may request payments. */
const startPath = ['/start', 'New'] as const;

/** A whole page. Without a viewer it has no head. */
export function frame(
  { title, viewer, path = '' }: { title: string; viewer?: Viewer; path?: string },
  ...parts: PagePart[]
): string {
  const { text } = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Steadfast</title>
<link rel="stylesheet" href="/console.css">
<link rel="icon" href="data:,">
<script src="/console.js" defer></script>
<body data-csrf="${viewer?.csrf}">
<a class="skip" href="#main">Skip to the content</a>
${viewer && head(viewer, path)}
<main id="main">
<h1>${title}</h1>
<p id="told" role="status" aria-live="polite"></p>
${parts}
</main>
</body>
</html>
`;
  return text;
}

function head({ person, csrf, isRequester = false }: Viewer, path: string): Html {
  const links = [...pages, ...(isRequester ? [startPath] : [])].map(([to, name]) => {
    const isHere = path.startsWith(to);
    return html`<li><a href="${to}"${isHere && html` aria-current="page"`}>${name}</a></li>`;
  });
  return html`<header>
<nav aria-label="Pages"><ul>${links}</ul></nav>
<form method="post" action="/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<span>${person}</span> <button>Sign out</button>
</form>
</header>`;
}

/** A moment in UTC. The script of the page writes it in the zone of its reader. */
export function moment(iso: string): Html {
  const words = iso.replace('T', ' ').replace(/(:\d\d)(\.\d+)?Z$/, '$1 UTC');
  return html`<time datetime="${iso}">${words}</time>`;
}

/** Rows of names and values. */
export function facts(rows: readonly (readonly [name: string, value: PagePart])[]): Html {
  const found = rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  return html`<dl>${found}</dl>`;
}

/** A table that is scrolled by itself where it is too wide. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly PagePart[])[],
): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => row(cells, columns))}</tbody>
</table></div>`;
}

/** Each cell names its column, since a telephone shows a row as a list. */
function row(cells: readonly PagePart[], columns: readonly string[]): Html {
  const named = cells.map((cell, at) => {
    return html`<td data-name="${columns[at]}"><div>${cell}</div></td>`;
  });
  return html`<tr>${named}</tr>\n`;
}
