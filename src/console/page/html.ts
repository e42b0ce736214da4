import { byNumber } from '../../orders/input/shown';

/** Text that is HTML already. Only the tag `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** A part of a page. A text is escaped. A list is joined. Undefined and false are nothing. */
export type PagePart = Html | string | number | false | undefined | readonly PagePart[];

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that are not seen, or that turn the direction of others. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Writes HTML. Every value in it is escaped, also in a quoted attribute. */
export function html(texts: TemplateStringsArray, ...values: readonly PagePart[]): Html {
  return new Html(String.raw({ raw: texts }, ...values.map(partText)));
}

function partText(part: PagePart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part !== 'object') return escaped(String(part));
  return part.map(partText).join('');
}

/** A text that has lines of its own, such as the faults of a file. */
export function inLines(text: string): Html {
  return html`${text.split('\n').map((line, at) => [at > 0 && html`<br>`, line])}`;
}

/** A text with the numbers of characters that hide or turn others. */
export function seen(text: string): string {
  return text.replace(hidden, byNumber);
}

function escaped(text: string): string {
  return seen(text).replace(/[&<>"']/g, (mark) => marks[mark] ?? '');
}
