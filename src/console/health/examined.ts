import type { HealthFinding } from '../../health/finding';
import { html, type PagePart } from '../page/html';

const states = {
  fine: ['good', 'fine'],
  fixed: ['good', 'mended'],
  fault: ['bad', 'fault'],
  skipped: ['', 'not checked'],
} as const;

/** Findings as a list, with the way to mend each fault. */
export function examinedShown(findings: readonly HealthFinding[]): PagePart {
  const rows = findings.map(({ name, state, words, mend }) => {
    const [color, told] = states[state];
    return html`<li><b>${name}</b> <span class="${color}">${told}</span>: ${words}
${mend !== undefined && html`<div>To mend it: ${mend}</div>`}</li>\n`;
  });
  return html`<ul>${rows}</ul>`;
}
