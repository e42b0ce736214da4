import { factsIn } from '../../client/asking/facts';
import type { OrderStatus } from '../../client/orderStatus';
import { isRecord } from '../../custody/isRecord';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import { facts, frame, moment, type Viewer } from '../page/frame';
import { type Html, html } from '../page/html';
import { progressTold } from '../page/live';
import { liveSection } from '../page/liveSection';
import { addressed, isAddress } from '../page/names';
import type { ConsoleParts } from '../parts';
import { controlForms } from './controlForms';

/** The page of an order: its state, the ways out of it, what happened, and what came of it. */
export function orderPage(
  parts: Pick<ConsoleParts, 'temporalUi' | 'namespace' | 'book' | 'policy'>,
  { viewer, status }: { viewer: Viewer; status: OrderStatus },
): string {
  const { workflowId: id, runId, kind, startedAt, closedAt, progress } = status;
  const { temporalUi, namespace } = parts;
  const path = encodeURIComponent(id);
  const inTemporal = `/namespaces/${encodeURIComponent(namespace)}/workflows/${path}/${runId}`;
  return frame(
    { title: id, viewer, path: '/orders' },
    facts([
      ['kind of order', kind],
      ['begun', moment(startedAt)],
      ['ended', closedAt === undefined ? 'not yet' : moment(closedAt)],
    ]),
    liveSection(`/orders/${path}/live`, progressTold(status)),
    progress?.approvals !== undefined && html`<p><a href="/approvals/${path}">Decide on it</a></p>`,
    kind === 'payout' && html`<p><a href="/payouts/${path}">Its lines</a></p>`,
    temporalUi !== undefined &&
      html`<p><a href="${temporalUi}${inTemporal}" rel="noreferrer">In Temporal UI</a></p>`,
    controlForms(status, viewer),
    waysOut(status),
    history(status),
    result(status, namesOf(parts.book(), parts.policy())),
  );
}

/** The commands that lead out of a state, also those that the page has buttons for. */
function waysOut({ progress }: OrderStatus): Html | undefined {
  const exits = progress?.exits ?? [];
  if (exits.length === 0) return undefined;
  const rows = exits.map(({ when, command }) => html`<li>${when}: <code>${command}</code></li>`);
  return html`<h2>Ways out</h2><ul>${rows}</ul>`;
}

function history({ progress }: OrderStatus): Html | undefined {
  const moments = progress?.timeline ?? [];
  if (moments.length === 0) return undefined;
  const rows = moments.map(({ at, words, kind, again }) => {
    const times = again === undefined ? '' : ` (${again.times} times)`;
    return html`<li class="${kind === 'trouble' && 'warn'}">${moment(at)} ${words}${times}</li>`;
  });
  return html`<h2>So far</h2><ul>${rows}</ul>`;
}

function result(
  { receipt, pages = [], signedUntil }: OrderStatus,
  nameOf: NameOf,
): (Html | false)[] {
  // The parts of a payout are for programs: its page has the lines.
  const told = isRecord(receipt) ? { ...receipt, parts: undefined } : receipt;
  const rows = factsIn(told).map(([label, value]) => {
    return [
      label,
      isAddress(value) ? addressed(value, nameOf) : html`<code>${value}</code>`,
    ] as const;
  });
  const links = pages.map((page) => html`<li><a href="${page}" rel="noreferrer">${page}</a></li>`);
  return [
    rows.length > 0 && html`<h2>Receipt</h2>${facts(rows)}`,
    links.length > 0 && html`<ul>${links}</ul>`,
    signedUntil !== undefined &&
      html`<p class="warn">Its request counts until ${moment(signedUntil)},
unless it was withdrawn.</p>`,
  ];
}
