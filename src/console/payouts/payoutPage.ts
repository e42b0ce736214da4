import type { OrderStatus } from '../../client/orderStatus';
import type { LineResult } from '../../orders/payout';
import { frame, moment, type Viewer } from '../page/frame';
import { type Html, html } from '../page/html';
import { progressTold, type Told } from '../page/live';
import { liveSection } from '../page/liveSection';
import { addressed, type NameOf } from '../page/names';
import { type Search, searched } from '../page/search';

type Shown = {
  viewer: Viewer;
  status: OrderStatus;
  lines: readonly LineResult[];
  nameOf: NameOf;
  search: Search;
};

const ends = ['paid', 'failed', 'unknown', 'skipped', 'waiting'] as const;

/** The page of a payout: how far it is, and what became of each line. */
export function payoutPage({ viewer, status, lines, nameOf, search }: Shown): string {
  const { workflowId: id, startedAt } = status;
  const told = { ...countsOf(lines), ...progressTold(status) };
  const list = {
    title: 'Lines',
    path: pathOf(id),
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
      [line.reason ?? '', line.outcome === 'failed' && retry(id, line)],
    ],
  };
  return frame(
    { title: id, viewer, path: '/payouts' },
    html`<p>Begun ${moment(startedAt)}</p>`,
    progress(id, told, lines.length),
    searched(lines, list, search),
  );
}

function progress(id: string, told: Told, all: number): Html {
  const counts = ends.map(
    (end) => html`<div><dt>${end}</dt><dd data-told="${end}">${told[end] ?? 0}</dd></div>\n`,
  );
  return liveSection(
    `${pathOf(id)}/live`,
    told,
    html`<progress data-told="ended" max="${all}" value="${told.ended ?? 0}"
 aria-label="Lines that have ended"></progress>
<dl>${counts}</dl>`,
  );
}

/** A retry needs the key that has signed the payout, and the console has no key. */
function retry(id: string, { lineId }: LineResult): Html {
  return html` <code>npx --no-install steadfast payout retry ${id} ${lineId}</code>`;
}

function colorOf({ outcome }: LineResult): string {
  if (outcome === 'paid') return 'good';
  return outcome === 'failed' ? 'bad' : '';
}

function countsOf(lines: readonly LineResult[]): Partial<Told> {
  const count = (outcome: LineResult['outcome']): number =>
    lines.filter((line) => line.outcome === outcome).length;
  const counts = Object.fromEntries(ends.map((end) => [end, count(end)]));
  return { ...counts, ended: lines.length - count('waiting') };
}

function pathOf(id: string): string {
  return `/payouts/${encodeURIComponent(id)}`;
}
