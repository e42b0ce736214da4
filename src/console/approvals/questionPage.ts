import { factsIn } from '../../client/asking/facts';
import type { OrderStatus } from '../../client/orderStatus';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import { findingsShown } from '../page/findings';
import { facts, frame, moment, type Viewer } from '../page/frame';
import { type Html, html, inLines } from '../page/html';
import { digestShown, linesShown } from '../page/lines';
import { inFull } from '../page/names';
import type { PageSearch } from '../page/search';
import type { ConsoleParts } from '../parts';
import { comparedShown } from './comparedShown';
import type { PayoutComparison } from './comparing';
import { notAsked, unable } from './decide';
import { effectShown } from './effectShown';
import type { Question, QuestionLines } from './questions';

type Asked = Question & QuestionLines & { compared: PayoutComparison | undefined };
type Shown = {
  viewer: Viewer;
  id: string;
  asked: readonly Asked[];
  /** The state of the order in words, and the reason where nobody knows its questions. */
  stands: string;
  unread?: string;
  /** The moment up to which the request of the order counts. */
  until: string | undefined;
  status: OrderStatus;
  search: PageSearch;
};

/** The page of an order that people are asked about: what they sign, and who has decided. */
export function questionPage(parts: ConsoleParts, shown: Shown): string {
  const { viewer, id, asked, stands, unread, until, status, search } = shown;
  const nameOf = namesOf(parts.book(), parts.policy());
  const path = pathOf(id);
  const sections = asked.map((one) => [
    told(one, { until, nameOf }),
    findingsShown(one.checked, { isNamed: one.lines.some(({ name }) => name), path, search }),
    one.compared && comparedShown(one.compared, { path, nameOf, search }),
    one.lines.length > 0 && linesShown(one.lines, { path, nameOf, search }),
    decided(one),
    deciding(parts, one, shown),
  ]);
  return frame(
    { title: id, viewer, path: '/approvals' },
    asked.length === 0 &&
      html`<p class="${unread && 'warn'}">
${unread ?? `It asks for no approval: it ${stands}.`}</p>`,
    sections,
    timeline(status),
  );
}

/** The statement in words. */
function told(
  { statement, linesDigest }: Asked,
  { until, nameOf }: Pick<Shown, 'until'> & { nameOf: NameOf },
): Html {
  const { kind, order, ledger, entity, blockchain, namespace } = statement;
  const { money, lines, expires, validUntil, write } = statement;
  const { all, isCut } = factsIn(money);
  const fields = all.map(([label, value]) => [label, inFull(value, nameOf)] as const);
  const sent = write.effects.map((effect) => html`<li>${effectShown(effect, nameOf)}</li>`);
  return html`<h2>What will be sent</h2>
<ul>${sent}</ul>
${linesDigest !== undefined && digestShown(linesDigest)}
<h2>What you sign</h2>
${facts([
  ['order', order],
  ['kind of order', kind],
  ...fields,
  ...factsIn({ lines: lines && { number: lines.count, root: lines.root } }).all,
  ['write', write.target],
  ['from the wallet', write.wallet || '–'],
  ['network', blockchain],
  ['account', html`<code>${entity}</code>`],
  ['namespace', namespace],
  ['ledger', html`<code>${ledger}</code>`],
  ['to be sent until', validUntil === undefined ? 'no end' : moment(validUntil)],
  ['the signature counts until', moment(expires)],
  ['its request counts until', until === undefined ? 'not known' : moment(until)],
])}
${isCut && html`<p class="warn">The order has more fields than this page shows.</p>`}`;
}

/** The decisions so far, and those that do not count. */
function decided({ wanted: { rule, need, people, given, weighed } }: Asked): Html {
  const rows = weighed.flatMap(({ fault }) =>
    fault === undefined ? [] : [html`<li class="bad">${fault}</li>`],
  );
  return html`<h2>Decisions</h2>
<p>The rule <b>${rule}</b> asks ${need} of ${people.join(', ')}.
Approved so far: <b>${given.length === 0 ? 'nobody' : given.join(', ')}</b>.</p>
${rows.length > 0 && html`<ul>${rows}</ul>`}`;
}

/** The buttons of somebody who may decide, or the reason why they cannot. */
function deciding(parts: ConsoleParts, question: Asked, { viewer, id }: Shown): Html {
  const { target, given } = question.wanted;
  if (given.includes(viewer.person)) return html`<p>You have approved it.</p>`;
  const other = notAsked(parts.policy(), viewer.person, question.wanted);
  if (other !== undefined) return html`<p>${other}</p>`;
  const why = unable(parts, viewer.person, question);
  if (why !== undefined) {
    return html`<p>${why} With an SSH key:
<code>npx --no-install steadfast approve ${id} --target ${target} --key FILE</code></p>`;
  }
  const button = (purpose: string, words: string, kind = ''): Html => html`<button type="button"
 class="${kind}" data-action="decide" data-path="${pathOf(id)}"
 data-target="${target}" data-digest="${question.digest}"
 data-purpose="${purpose}">${words}</button>`;
  return html`<form class="actions decide">
${button('approval', 'Approve with my passkey', 'main')}
<label>Reason of a rejection <input name="reason" maxlength="1000"></label>
${button('rejection', 'Reject it for good')}
</form>`;
}

function timeline({ progress, execution, error }: OrderStatus): Html {
  const rows = (progress?.timeline ?? []).map(
    ({ at, words }) => html`<li>${moment(at)} ${words}</li>`,
  );
  return html`<h2>So far</h2>
${error !== undefined && html`<p class="bad">${inLines(error)}</p>`}
${
  progress &&
  execution === 'RUNNING' &&
  html`<p>It stands as <b>${progress.status}</b>.
It waits for ${progress.waitingFor}</p>`
}
<ul>${rows}</ul>`;
}

function pathOf(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`;
}
