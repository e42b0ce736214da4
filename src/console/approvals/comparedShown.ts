import { counted } from '../../orders/progress/doing';
import { table } from '../page/frame';
import { type Html, html } from '../page/html';
import { addressed, type NameOf } from '../page/names';
import type { Changes } from './changes';
import type { Compared } from './comparing';

/** Changes that are shown. */
const shownMax = 100;

/** The changes since an earlier payout, and the choice of another one. It works without a script. */
export function comparedShown(
  { beside, others, changes, fault }: Compared,
  { path, nameOf }: { path: string; nameOf: NameOf },
): Html {
  const options = others.map(
    (one) => html`<option value="${one}"${one === beside && html` selected`}>${one}</option>`,
  );
  return html`<h2>What changed</h2>
<form class="actions" method="get" action="${path}">
<label>Compare with <select name="beside">${options}</select></label> <button>Compare</button>
</form>
${fault !== undefined && html`<p class="warn">${fault}</p>`}
${changes !== undefined && told(beside, changes, nameOf)}
${fault === undefined && changes === undefined && nothingLikeIt}`;
}

const nothingLikeIt = html`<p>No earlier payout with paid lines has an id like this one.</p>`;

function told(beside: string, { changes, same }: Changes, nameOf: NameOf): Html {
  const count = (is: (change: Changes['changes'][number]) => boolean): number =>
    changes.filter(is).length;
  const added = count(({ before }) => before === undefined);
  const lost = count(({ now }) => now === undefined);
  const words = [
    `${counted(added, 'new payee')}`,
    `${counted(lost, 'payee')} left out`,
    `${counted(changes.length - added - lost, 'payee')} with another sum`,
    `${counted(same, 'payee')} with the same sum`,
  ].join(', ');
  const rows = changes
    .slice(0, shownMax)
    .map(({ to, token, before = '–', now = '–' }) => [addressed(to, nameOf), before, now, token]);
  const more = changes.length - rows.length;
  return html`<p>Beside <b>${beside}</b>: ${words}.</p>
${rows.length > 0 && table('Changes', ['Payee', 'Before', 'Now', 'Token'], rows)}
${more > 0 && html`<p>And ${more} more.</p>`}`;
}
