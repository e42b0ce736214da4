import { spanInWords } from '../../books/chain/period';
import { paymentInWords, troubles } from '../../books/reconcile/finding';
import { hasAddressForm } from '../../orders/input/fields';
import type { NameOf } from '../../writer/file/namesOf';
import { facts, frame, moment, table, type Viewer } from '../page/frame';
import { type Html, html, type PagePart } from '../page/html';
import { addressed } from '../page/names';
import type { ClosedShown, ShownClose } from '../watch/readCloses';

/** The page of a closed day: its result, its balances and its differences in words. */
export function closePage(
  close: ShownClose,
  { viewer, hasReceipts, nameOf }: { viewer: Viewer; hasReceipts: boolean; nameOf: NameOf },
): string {
  const { workflowId, day, startedAt, execution, result, error } = close;
  const path = `/books/${encodeURIComponent(workflowId)}`;
  return frame(
    { title: `Close of ${day}`, viewer, path: '/books' },
    facts([
      ['close', html`<code>${workflowId}</code>`],
      ['compared', moment(startedAt)],
      ['stands as', execution],
    ]),
    error !== undefined && html`<p class="bad">${error}</p>`,
    result === undefined && execution === 'RUNNING' && html`<p>It is being compared.</p>`,
    result !== undefined && [resultShown(result, nameOf), files(path, hasReceipts)],
  );
}

function resultShown(result: ClosedShown, nameOf: NameOf): Html {
  const { isBalanced, summary, blocks, wallets, hasArchive, notLookedAt } = result;
  const left = notLookedAt.map((words) => html`<li>${words}</li>`);
  return html`<p class="${isBalanced ? 'good' : 'bad'}">${summary}</p>
<p>${spanInWords(blocks)}, ${wallets} wallets, time zone ${result.timeZone}.</p>
${
  !hasArchive &&
  html`<p class="warn">The workers keep no archive, so receipts and older payments
were not compared.</p>`
}
${balancesShown(result)}
<h2>Differences</h2>
${differencesShown(result, nameOf)}
${left.length > 0 && html`<h2>Not looked at</h2><ul>${left}</ul>`}`;
}

function balancesShown({ balances }: ClosedShown): Html {
  const rows = balances.map(({ token, wallet, opening = '?', closing = '?', ...sums }) => [
    wallet === undefined ? token : [token, html` of <code>${wallet}</code>`],
    opening,
    sums.in,
    sums.out,
    sums.fees,
    closing,
    sums.unexplained === undefined ? 'nothing' : html`<b class="bad">${sums.unexplained}</b>`,
  ]);
  const columns = ['Token', 'Opening', 'In', 'Out', 'Fees', 'Closing', 'Unexplained'];
  return table('Balances of all wallets together', columns, rows);
}

type Row = ClosedShown['rows'][number];

/** Differences in words. Rows that a person has to look at come first, in red. */
function differencesShown({ rows }: ClosedShown, nameOf: NameOf): PagePart {
  if (rows.length === 0) return html`<p>There is none.</p>`;
  const isTrouble = (row: Row): boolean => troubles.includes(row.class);
  const inOrder = [...rows.filter(isTrouble), ...rows.filter((row) => !isTrouble(row))];
  const items = inOrder.map(
    (row) => html`<li><b class="${isTrouble(row) ? 'bad' : ''}">${row.class}</b>:
${paymentInWords(row)}${row.why !== undefined && html`<div>${row.why}</div>`}
${sidesShown(row, nameOf)}</li>\n`,
  );
  return html`<ul>${items}</ul>`;
}

/** The names of the two sides of a payment, and the page of its order. */
function sidesShown({ order, wallet, counterparty }: Row, nameOf: NameOf): PagePart {
  const sides = [wallet, counterparty].filter((side) => side !== undefined && hasAddressForm(side));
  const names = sides.map((side) => html`<div>${addressed(side ?? '', nameOf)}</div>`);
  const path = order === undefined ? undefined : `/orders/${encodeURIComponent(order)}`;
  return [names, path && html`<div><a href="${path}">The order</a></div>`];
}

function files(path: string, hasReceipts: boolean): Html {
  return html`<h2>Files</h2>
<ul><li><a href="${path}/close.json" download>The close (JSON)</a></li>
${hasReceipts && html`<li><a href="${path}/receipts.jsonl" download>Receipts (JSON Lines)</a></li>`}
</ul>`;
}
