import { checks } from '../../checks/checks';
import { effectInWords } from '../../client/asking/askings';
import { factsIn } from '../../client/asking/facts';
import type { OrderStatus } from '../../client/orderStatus';
import { counted } from '../../orders/progress/doing';
import type { TreeLine } from '../../writer/signing/lineTree';
import { facts, frame, moment, type Viewer } from '../page/frame';
import { type Html, html, type Part } from '../page/html';
import { addressed, type NameOf, namesOf } from '../page/names';
import { type Search, searched } from '../page/search';
import type { ConsoleParts } from '../parts';
import { comparedShown } from './comparedShown';
import type { Compared } from './comparing';
import { unable } from './decide';
import type { Looked, Question } from './questions';

/** Findings that are shown. */
const findingsMax = 50;

type Asked = Question & Looked & { compared: Compared | undefined };
type Shown = {
  viewer: Viewer;
  id: string;
  asked: readonly Asked[];
  status: OrderStatus;
  search: Search;
};

/** The page of an order that people are asked about: what they sign, and who has decided. */
export function questionPage(parts: ConsoleParts, shown: Shown): string {
  const { viewer, id, asked, status } = shown;
  const nameOf = namesOf(parts.book, parts.policy());
  const sections = asked.map((one) => [
    told(one, nameOf),
    found(one),
    one.compared && comparedShown(one.compared, { path: pathOf(id), nameOf }),
    one.lines.length > 0 && linesShown(one, shown, nameOf),
    decided(one),
    deciding(parts, one, shown),
  ]);
  return frame(
    { title: id, viewer, path: '/approvals' },
    asked.length === 0 && html`<p>This order asks for no approval now.</p>`,
    sections,
    timeline(status),
  );
}

/** The statement in words. */
function told({ statement, linesDigest }: Asked, nameOf: NameOf): Html {
  const { kind, entity, blockchain, namespace, money, expires, validUntil, write } = statement;
  const fields = factsIn(money).map(([label, value]) => [label, inFull(value, nameOf)] as const);
  const sent = write.effects.map((effect) => html`<li>${effectShown(effect, nameOf)}</li>`);
  return html`<h2>What will be sent</h2>
<ul>${sent}</ul>
${linesDigest !== undefined && digest(linesDigest)}
<h2>What you sign</h2>
${facts([
  ['kind of order', kind],
  ...fields,
  ['write', write.target],
  ['from the wallet', write.wallet || '–'],
  ['network', blockchain],
  ['account', html`<code>${entity}</code>`],
  ['namespace', namespace],
  ['to be sent until', validUntil === undefined ? 'no end' : moment(validUntil)],
  ['the signature counts until', moment(expires)],
])}`;
}

function digest(number: string): Html {
  return html`<p>Digest of all lines: <code id="digest">${number}</code>. Compute it from your own
copy of the file, with the script of the documentation, and compare.</p>`;
}

function effectShown(effect: Record<string, unknown>, nameOf: NameOf): Part {
  const { kind, amount, money, to } = effect;
  if (kind !== 'money') return effectInWords(effect);
  return html`<b>${String(amount)} ${String(money)}</b> to ${inFull(String(to), nameOf)}`;
}

function inFull(value: string, nameOf: NameOf): Part {
  return /^0x[0-9a-f]{40}$/i.test(value) ? addressed(value, nameOf) : value;
}

/** The findings of the checks before money moves. */
function found({ checked: { findings, ran, leftOut } }: Asked): Html {
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

/** The lines of a payout, all of them. */
function linesShown({ lines }: Asked, { id, search }: Shown, nameOf: NameOf): Html {
  const list = {
    title: 'All lines',
    path: pathOf(id),
    columns: ['Line', 'To', 'Amount', 'Token'],
    textsOf: ({ lineId, to, amount, token }: TreeLine) => [
      lineId,
      to,
      amount,
      token,
      nameOf(to) ?? '',
    ],
    cellsOf: ({ lineId, to, amount, token }: TreeLine) => [
      lineId,
      addressed(to, nameOf),
      amount,
      token,
    ],
  };
  return searched(lines, list, search);
}

/** The decisions so far, and those that do not count. */
function decided({ wanted: { rule, need, people, given, weighed } }: Asked): Html {
  const rows = weighed.flatMap(({ fault }) =>
    fault === undefined ? [] : [html`<li class="bad">${fault}</li>`],
  );
  return html`<h2>Decisions</h2>
<p>The rule <b>${rule}</b> asks ${need} of ${people.join(', ')}.
Approved so far: <b id="given">${given.length === 0 ? 'nobody' : given.join(', ')}</b>.</p>
${rows.length > 0 && html`<ul>${rows}</ul>`}`;
}

/** The buttons of somebody who may decide, or the reason why they cannot. */
function deciding(parts: ConsoleParts, question: Asked, { viewer, id }: Shown): Html {
  const { target } = question.wanted;
  if (question.wanted.given.includes(viewer.person)) return html`<p>You have approved it.</p>`;
  const why = unable(parts, viewer.person, question);
  if (why !== undefined) {
    return html`<p>${why} With an SSH key:
<code>npx --no-install steadfast approve ${id} --target ${target} --key FILE</code></p>`;
  }
  const button = (purpose: string, words: string, kind = ''): Html => html`<button type="button"
 class="${kind}" data-action="decide" data-path="${pathOf(id)}"
 data-target="${target}" data-digest="${question.digest}"
 data-purpose="${purpose}">${words}</button>`;
  return html`<form id="decide" class="actions">
<label>Reason <input name="reason" maxlength="1000"></label>
${button('approval', 'Approve with my passkey', 'main')}
${button('rejection', 'Reject it for good')}
</form>`;
}

function timeline({ progress, error }: OrderStatus): Html {
  const rows = (progress?.timeline ?? []).map(
    ({ at, words }) => html`<li>${moment(at)} ${words}</li>`,
  );
  return html`<h2>So far</h2>
${error !== undefined && html`<p class="bad">${error}</p>`}
${
  progress &&
  html`<p>It stands as <b>${progress.status}</b>.
It waits for ${progress.waitingFor}</p>`
}
<ul>${rows}</ul>`;
}

function pathOf(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`;
}
