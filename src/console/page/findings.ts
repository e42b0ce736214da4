import type { Checked } from '../../checks/check';
import { checks } from '../../checks/checks';
import { counted } from '../../orders/progress/doing';
import { type Html, html } from './html';

/** Findings that are shown. */
const findingsMax = 50;

/** The findings of the checks before money moves, and the checks that were left out. */
export function findingsShown({ findings, ran, leftOut }: Checked): Html {
  const rows = findings
    .slice(0, findingsMax)
    .map(
      ({ lineId, words, check }) =>
        html`<li class="warn">${lineId && `Line ${lineId} `}${words} (${check})</li>`,
    );
  const more = findings.length - rows.length;
  const left = leftOut.map((id) => html`<li>${checks[id].finds}</li>`);
  return html`<h2>Checks</h2>
${findings.length === 0 ? html`<p>Nothing was found.</p>` : html`<ul>${rows}</ul>`}
${more > 0 && html`<p>And ${more} more.</p>`}
<p>${counted(ran.length, 'check')} ran.</p>
${left.length > 0 && html`<p>Nobody has looked for these:</p><ul>${left}</ul>`}`;
}
