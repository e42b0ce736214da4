import { type Html, html, type PagePart } from './html';
import type { LiveProgress } from './live';

/** The state of an order, which the script of the page renews as the order goes on. */
export function liveSection(path: string, told: LiveProgress, ...more: PagePart[]): Html {
  const { status, waitingFor, isOver } = told;
  return html`<section data-live="${path}" data-is-over="${String(isOver)}">
<p>It stands as <b data-told="status">${status}</b>.
<span data-told="waitingFor">${waitingFor}</span></p>
${more}
</section>`;
}
