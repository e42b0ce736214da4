import { type Fact, factsIn, type ShownFacts } from '../../client/asking/facts';
import { counted } from '../../orders/progress/doing';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import type { RequestStatement } from '../../writer/signing/statement';
import { findingsShown } from '../page/findings';
import { facts, frame, moment, type Viewer } from '../page/frame';
import { type Html, html } from '../page/html';
import { digestShown, linesShown } from '../page/lines';
import { addressed, inFull } from '../page/names';
import type { PageSearch } from '../page/search';
import type { ConsoleParts } from '../parts';
import { passkeysOf } from '../people';
import type { Draft } from './draft';

type Shown = {
  viewer: Viewer;
  /** The name of the draft in its address. */
  name: string;
  draft: Draft;
  statement: RequestStatement;
  search: PageSearch;
};

/** The page before a request: all that its person signs. */
export function draftPage(parts: ConsoleParts, shown: Shown): string {
  const { viewer, name: token, draft, statement, search } = shown;
  const { id, checked, lines } = draft;
  const policy = parts.policy();
  const nameOf = namesOf(parts.book(), policy);
  const path = `/start/${token}`;
  const money = factsIn(statement.money);
  return frame(
    { title: `Request ${id}`, viewer, path: '/start' },
    sent(draft, nameOf),
    unsigned(draft),
    signed(statement, money.all, nameOf),
    findingsShown(checked, {
      isNamed: lines?.all.some(({ name }) => name !== undefined) === true,
      path,
      search,
    }),
    lines && linesShown(lines.all, { path, nameOf, search }),
    passkeysOf(policy.people, viewer.person, parts.origin).length === 0
      ? html`<p>The policy has no passkey of ${viewer.person} for this console.</p>`
      : button(path, statement, money),
  );
}

function sent({ kind, order, lines }: Draft, nameOf: NameOf): Html {
  if (kind === 'transferStablecoin') {
    const { amount, token, to } = order;
    return html`<h2>What will be sent</h2>
<ul><li><b>${amount} ${token}</b> to ${addressed(to, nameOf)}</li></ul>`;
  }
  const rows = lines.totals.map(
    (total) => html`<li><b>${total.amount} ${total.token}</b>
in ${counted(total.lines, 'line')}</li>`,
  );
  return html`<h2>What will be sent</h2>
<ul>${rows}</ul>
<p>${counted(lines.all.length, 'line')} in all.</p>
${digestShown(lines.digest)}`;
}

/** Fields for people and workers. They decide no payment, so nobody signs them. */
function unsigned({ kind, order }: Draft): Html | undefined {
  const { reference } = order;
  const isAlone = kind === 'payout' && order.batch === false;
  if (reference === undefined && !isAlone) return undefined;
  return html`<h2>Not signed</h2>
${facts([
  ...(reference === undefined ? [] : [['reference', reference] as const]),
  ...(isAlone ? [['transactions', 'one for each line'] as const] : []),
])}`;
}

function signed(statement: RequestStatement, money: readonly Fact[], nameOf: NameOf): Html {
  const { kind, order, entity, blockchain, namespace, lines, expires } = statement;
  const own = lines && { number: lines.count, root: lines.root };
  const fields = [...money, ...factsIn({ lines: own }).all];
  return html`<h2>What you sign</h2>
${facts([
  ['kind of order', kind],
  ['order', order],
  ...fields.map(([label, value]) => [label, inFull(value, nameOf)] as const),
  ['network', blockchain],
  ['account', html`<code>${entity}</code>`],
  ['namespace', namespace],
  ['the signature counts until', moment(expires)],
])}`;
}

function button(path: string, { expires }: RequestStatement, { isCut }: ShownFacts): Html {
  if (isCut) {
    return html`<p class="warn">The order has more fields than this page shows. Nobody requests what
they have not seen: give it fewer fields, or request it from the command line.</p>`;
  }
  return html`<p>Nothing is requested yet. Others approve it where the policy asks them, and you are
none of them. They have time until ${moment(expires)}: then your request counts no more.</p>
<p class="actions"><button type="button" class="main" data-action="request"
 data-path="${path}">Request with my passkey</button></p>`;
}
