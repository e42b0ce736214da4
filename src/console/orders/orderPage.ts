import { factsIn } from '../../client/asking/facts';
import type { OrderStatus } from '../../client/orderStatus';
import { isRecord } from '../../custody/isRecord';
import { hasAddressForm } from '../../orders/input/fields';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import { facts, frame, moment, type Viewer } from '../page/frame';
import { type Html, html, type PagePart } from '../page/html';
import { progressTold } from '../page/live';
import { liveSection } from '../page/liveSection';
import { addressed } from '../page/names';
import type { ConsoleParts } from '../parts';
import { controlForms } from './controlForms';

/** The page of an order: its state, the ways out of it, what happened, and what came of it. */
export function orderPage(
  parts: Pick<ConsoleParts, 'temporalUi' | 'namespace' | 'book' | 'policy'>,
  { viewer, status }: { viewer: Viewer; status: OrderStatus },
): string {
  const { workflowId: id, runId, kind, execution, startedAt, closedAt, progress } = status;
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
    earlierPaid(status),
    execution === 'RUNNING' &&
      progress?.approvals !== undefined &&
      html`<p><a href="/approvals/${path}">Decide on it</a></p>`,
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
function waysOut({ progress, execution }: OrderStatus): Html | undefined {
  const exits = execution === 'RUNNING' ? (progress?.exits ?? []) : [];
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

/** The newest run may be a refused restart, and the money may have gone before. */
export function earlierPaid({ paidBefore }: OrderStatus): Html | undefined {
  return paidBefore && html`<p class="warn">An earlier run of this id ${paidBefore.words}.</p>`;
}

function result(
  { receipt, paidBefore, made, pages = [], signedUntil }: OrderStatus,
  nameOf: NameOf,
): PagePart[] {
  const links = pages.map((page) => html`<li><a href="${page}" rel="noreferrer">${page}</a></li>`);
  return [
    document('Receipt', receipt, nameOf),
    document('Receipt of the earlier run', paidBefore?.receipt, nameOf),
    document('Completed before it failed', made, nameOf),
    links.length > 0 && html`<ul>${links}</ul>`,
    signedUntil !== undefined &&
      html`<p class="warn">Its request counts until ${moment(signedUntil)},
unless it was withdrawn.</p>`,
  ];
}

function document(title: string, told: unknown, nameOf: NameOf): Html | undefined {
  // The parts of a payout are for programs: its page has the lines.
  const { all, isCut } = factsIn(isRecord(told) ? { ...told, parts: undefined } : told);
  const rows = all.map(
    ([label, value]) =>
      [
        label,
        hasAddressForm(value) ? addressed(value, nameOf) : html`<code>${value}</code>`,
      ] as const,
  );
  if (rows.length === 0 && !isCut) return undefined;
  return html`<h2>${title}</h2>${facts(rows)}
${
  isCut &&
  html`<p class="warn">It has more fields. <code>steadfast status --json</code> shows all.</p>`
}`;
}
