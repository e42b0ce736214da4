import { counted } from '../../orders/progress/doing';
import type { NameOf } from '../../writer/file/namesOf';
import { type Html, html } from '../page/html';
import { addressed } from '../page/names';
import { type PageSearch, searched } from '../page/search';
import type { Change, Changes } from './changes';
import type { PayoutComparison } from './comparing';

type Shown = { path: string; nameOf: NameOf; search: PageSearch };

/** The changes since an earlier payout, and the choice of another one. It works without a script. */
export function comparedShown(
  { beside, others, changes, fault }: PayoutComparison,
  shown: Shown,
): Html {
  const { path } = shown;
  const options = others.map(
    (one) => html`<option value="${one}"${one === beside && html` selected`}>${one}</option>`,
  );
  return html`<h2>What changed</h2>
<form class="actions" method="get" action="${path}">
<label>Compare with <select name="beside">${options}</select></label> <button>Compare</button>
</form>
${fault !== undefined && html`<p class="warn">${fault}</p>`}
${changes !== undefined && told(beside, changes, shown)}
${fault === undefined && changes === undefined && nothingLikeIt}`;
}

const nothingLikeIt = html`<p>No earlier payout with paid lines has an id like this one.</p>`;

/** Anybody in Temporal can start a payout, and have it tell lines that were never paid. */
const unverified = html`<p>The earlier payout is as Temporal tells it.
Nobody has verified that it was paid, and whoever reaches Temporal can invent one.</p>`;

function told(beside: string, { changes, same }: Changes, { path, nameOf, search }: Shown): Html {
  const count = (is: (change: Change) => boolean): number => changes.filter(is).length;
  const added = count(({ before }) => before === undefined);
  const lost = count(({ now }) => now === undefined);
  const words = [
    `${counted(added, 'new payee')}`,
    `${counted(lost, 'payee')} left out`,
    `${counted(changes.length - added - lost, 'payee')} with another sum`,
    `${counted(same, 'payee')} with the same sum`,
  ].join(', ');
  const list = {
    name: 'changes',
    title: 'Changes',
    label: 'Search changes',
    path,
    columns: ['Payee', 'Before', 'Now', 'Token'],
    textsOf: ({ to, token, before = '', now = '' }: Change) => {
      return [to, nameOf(to) ?? '', before, now, token];
    },
    cellsOf: ({ to, token, before = '–', now = '–' }: Change) => {
      return [addressed(to, nameOf), before, now, token];
    },
  } as const;
  return html`<p>Beside <b>${beside}</b>: ${words}.</p>
${unverified}
${changes.length > 0 && searched(changes, list, search)}`;
}
