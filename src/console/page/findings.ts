import { type Checked, type CheckFinding, isCheckId, leftOutOf } from '../../checks/check';
import { type CheckId, checks } from '../../checks/checks';
import { counted } from '../../orders/progress/doing';
import { type Html, html } from './html';
import { type PageSearch, searched } from './search';

/** The order of findings: money that is lost or stolen first, then what is paid twice. */
const rank: Readonly<Record<CheckId, number>> = {
  lookAlike: 0,
  otherAddress: 1,
  otherName: 2,
  ownWallet: 3,
  burn: 4,
  tokenContract: 5,
  twice: 6,
  otherFace: 7,
  paidBefore: 8,
  otherPayout: 9,
  newPayee: 10,
  farAmount: 11,
  farTotal: 12,
};

/**
 * All findings of the checks before money moves, the gravest first, and the checks that were left
 * out. Names of payees are compared only where a line has one.
 */
export function findingsShown(
  checked: Checked,
  { isNamed, path, search }: { isNamed: boolean; path: string; search: PageSearch },
): Html {
  const { findings, ran } = checked;
  const unnamed = isNamed ? [] : ran.filter((id) => checks[id].sees === 'name');
  const left = [...leftOutOf(checked), ...unnamed].map(
    (id) =>
      html`<li>${isCheckId(id) ? checks[id].finds : 'the same in an order that is running'}</li>`,
  );
  const list = {
    name: 'findings',
    title: 'Checks',
    lead: countsShown(findings),
    label: 'Search findings',
    path,
    columns: ['Finding'],
    textsOf: (one: CheckFinding) => [sentenceOf(one)],
    cellsOf: (one: CheckFinding) => [html`<span class="warn">${sentenceOf(one)}</span>`],
  } as const;
  const sorted = [...findings].sort((one, other) => rank[one.check] - rank[other.check]);
  return html`${
    findings.length === 0
      ? html`<h2>Checks</h2><p>Nothing was found.</p>`
      : searched(sorted, list, search)
  }
<p>${counted(ran.length - unnamed.length, 'check')} ran.</p>
${left.length > 0 && html`<p>Nobody has looked for these:</p><ul>${left}</ul>`}`;
}

function sentenceOf({ lineId, words, check }: CheckFinding): string {
  return `${lineId === undefined ? '' : `Line ${lineId} `}${words} (${check})`;
}

function countsShown(findings: readonly CheckFinding[]): Html {
  const counts = new Map<CheckId, number>();
  for (const { check } of findings) counts.set(check, (counts.get(check) ?? 0) + 1);
  const rows = [...counts]
    .sort(([one], [other]) => rank[one] - rank[other])
    .map(([id, count]) => html`<li><b>${count}</b>: ${checks[id].finds} (${id})</li>`);
  return html`<ul>${rows}</ul>`;
}
