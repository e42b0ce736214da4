import type { NameOf } from '../../writer/file/namesOf';
import type { TreeLine } from '../../writer/signing/lineTree';
import { type Html, html } from './html';
import { addressed } from './names';
import { type PageSearch, searched } from './search';

/** The lines that a signature is of, all of them. */
export function linesShown(
  lines: readonly TreeLine[],
  { path, nameOf, search }: { path: string; nameOf: NameOf; search: PageSearch },
): Html {
  const list = {
    title: 'All lines',
    path,
    columns: ['Line', 'To', 'Amount', 'Token'],
    textsOf: ({ lineId, to, amount, token }: TreeLine) => [
      lineId,
      to,
      amount,
      token,
      nameOf(to) ?? '',
    ],
    cellsOf: ({ lineId, to, amount, token }: TreeLine) => [
      lineId,
      addressed(to, nameOf),
      amount,
      token,
    ],
  };
  return searched(lines, list, search);
}

/** The digest of all lines, for whoever has the file. */
export function digestShown(number: string): Html {
  return html`<p>Digest of all lines: <code>${number}</code>. Compute it from your own
copy of the file, with the script of the documentation, and compare.</p>`;
}
