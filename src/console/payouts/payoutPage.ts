import type { OrderStatus } from '../../client/orderStatus';
import { type LineResult, lineOutcomes } from '../../orders/payout';
import type { NameOf } from '../../writer/file/namesOf';
import { earlierPaid } from '../orders/orderPage';
import { frame, moment, type Viewer } from '../page/frame';
import { type Html, html } from '../page/html';
import { type LiveProgress, progressTold } from '../page/live';
import { liveSection } from '../page/liveSection';
import { addressed } from '../page/names';
import { type PageSearch, searched } from '../page/search';

type Shown = {
  viewer: Viewer;
  status: OrderStatus;
  lines: readonly LineResult[];
  nameOf: NameOf;
  search: PageSearch;
};

/** The page of a payout: how far it is, and what became of each line. */
export function payoutPage({ viewer, status, lines, nameOf, search }: Shown): string {
  const { workflowId: id, startedAt } = status;
  const told = { ...countsOf(lines), ...progressTold(status) };
  const list = {
    title: 'Lines',
    path: payoutPath(id),
    columns: ['Line', 'To', 'Amount', 'Token', 'Outcome', 'Transaction', 'Reason'],
    textsOf: ({ lineId, to, amount, token, outcome, txHash = '', reason = '' }: LineResult) => [
      ...[lineId, to, amount, token, outcome, txHash, reason],
      nameOf(to) ?? '',
    ],
    cellsOf: (line: LineResult) => [
      line.lineId,
      addressed(line.to, nameOf),
      line.amount,
      line.token,
      html`<span class="${colorOf(line)}">${line.outcome}</span>`,
      line.txHash === undefined ? '' : html`<code>${line.txHash}</code>`,
      [line.reason ?? '', line.outcome === 'failed' && retry(viewer, id, line)],
    ],
  };
  return frame(
    { title: id, viewer, path: '/payouts' },
    html`<p>Begun ${moment(startedAt)}</p>`,
    earlierPaid(status),
    progress(id, told, lines.length),
    searched(lines, list, search),
    html`<p><a href="${payoutPath(id)}/results.csv" download>Results as CSV</a> ·
<a href="/orders/${encodeURIComponent(id)}">Controls, and all that happened</a></p>`,
  );
}

function progress(id: string, told: LiveProgress, all: number): Html {
  const counts = lineOutcomes.map(
    (end) => html`<div><dt>${end}</dt><dd data-told="${end}">${told[end] ?? 0}</dd></div>\n`,
  );
  return liveSection(
    `${payoutPath(id)}/live`,
    told,
    html`<progress data-told="ended" max="${all}" value="${told.ended ?? 0}"
 aria-label="Lines that have ended"></progress>
<dl>${counts}</dl>`,
  );
}

/** A button for those who request payments, and a command for others. */
function retry({ isRequester }: Viewer, id: string, { lineId, amount, token }: LineResult): Html {
  if (isRequester !== true) {
    return html` <code>npx --no-install steadfast payout retry ${id} ${lineId}</code>`;
  }
  return html`<details><summary>Retry</summary>
<p>Sends ${amount} ${token} again under a new key. That this line was not paid is proven before. The
request of the payout has to count still. It is checked whether another order has paid the same
meanwhile.</p>
<button type="button" data-action="retry" data-path="${payoutPath(id)}/retry"
 data-line="${lineId}">Retry this line</button></details>`;
}

function colorOf({ outcome }: LineResult): string {
  if (outcome === 'paid') return 'good';
  return outcome === 'failed' ? 'bad' : '';
}

function countsOf(lines: readonly LineResult[]): Partial<LiveProgress> {
  const count = (outcome: LineResult['outcome']): number =>
    lines.filter((line) => line.outcome === outcome).length;
  const counts = Object.fromEntries(lineOutcomes.map((end) => [end, count(end)]));
  return { ...counts, ended: lines.length - count('waiting') };
}

/** The path of the page of a payout. */
export function payoutPath(id: string): string {
  return `/payouts/${encodeURIComponent(id)}`;
}
