import { plotter } from '../../books/form/plot';
import { statementAsked } from '../../client/account/asked';
import type { StatementTold, WalletsTold } from '../../client/account/told';
import { facts, frame, table, type Viewer } from '../page/frame';
import { type Html, html, type PagePart } from '../page/html';
import { wholeAddress } from '../page/names';
import { partOf } from '../page/part';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import type { ChainBalances } from '../watch/chainBalances';
import type { AccountWatch } from '../watch/watching';
import { flowsOf } from './flows';
import { oneByOne, rowsOf, statementForms } from './statementFile';

const weekMs = 6 * 86_400_000;
type Wallet = WalletsTold['wallets'][number];
type Asked = { viewer: Viewer; id: string; from: string | undefined; to: string | undefined };

/** The page of a wallet: its balances by the service and by the chain, and its statement. */
export async function walletPage(
  watch: AccountWatch,
  { viewer, id, ...days }: Asked,
): Promise<string> {
  const found = watch.wallets().then((told) => ({ told, wallet: walletIn(told, id) }));
  const [who, own, chain, statement] = await Promise.all([
    partOf(found, ({ told, wallet }) => whoShown(wallet, told)),
    partOf(found, ({ wallet }) => balances('The service says', wallet.held)),
    watch.node === undefined
      ? html`<p>The chain was not asked: CHAIN_RPC_URL is not set for the console.</p>`
      : partOf(
          found.then(({ wallet }) => watch.node?.balances(wallet.address)),
          chainShown,
        ),
    statementPart(watch, id, days),
  ]);
  return frame(
    { title: 'Wallet', viewer, path: '/wallets' },
    who,
    html`<h2>Balances</h2>`,
    own,
    chain,
    html`<h2>Statement</h2>`,
    daysForm(id, days),
    statement,
  );
}

function walletIn({ wallets }: WalletsTold, id: string): Wallet {
  const found = wallets.find((wallet) => wallet.id === id);
  if (found !== undefined) return found;
  throw new Refusal(404, `The account has no wallet ${id} on the network of the workers.`);
}

function whoShown({ id, name, address, accountType, state }: Wallet, told: WalletsTold): Html {
  return facts([
    ['name', name || 'without a name'],
    ['address', html`<code>${wholeAddress(address)}</code>`],
    ['id', html`<code>${id}</code>`],
    ['type', accountType],
    ['network', told.blockchain],
    ['state', state],
  ]);
}

function balances(caption: string, held: readonly (readonly [string, string])[]): Html {
  if (held.length === 0) return html`<p>${caption}: it holds nothing.</p>`;
  return table(caption, ['Amount', 'Token'], held);
}

function chainShown(told: ChainBalances | undefined): PagePart {
  if (told === undefined) return undefined;
  const rows = told.held.map(({ amount, token }) => [amount, token] as const);
  return [
    balances(`The chain says at its final block ${told.block}`, rows),
    html`<p>The service may be ahead of a final block for a moment. It tells a coin with two faces
in the decimals of the token, and the chain tells all of them.</p>`,
  ];
}

/** The form that asks for days. It works without the script. */
function daysForm(id: string, { from, to }: Pick<Asked, 'from' | 'to'>): Html {
  const today = new Date().toISOString().slice(0, 10);
  const before = new Date(Date.now() - weekMs).toISOString().slice(0, 10);
  return html`<form class="actions" method="get" action="/wallets/${encodeURIComponent(id)}">
<label>From (UTC) <input type="date" name="from" value="${from ?? before}" required></label>
<label>To, with that day <input type="date" name="to" value="${to ?? today}" required></label>
<button>Read it from the chain</button></form>`;
}

async function statementPart(
  watch: AccountWatch,
  wallet: string,
  { from, to }: Pick<Asked, 'from' | 'to'>,
): Promise<PagePart> {
  if (from === undefined && to === undefined) return undefined;
  const wanted = readSent(statementAsked, { about: 'statement', wallet, from, to });
  const read = watch.statement(wanted);
  return partOf(
    read.then((told) => statementShown(told, wanted)),
    (shown) => shown,
  );
}

async function statementShown(
  told: StatementTold,
  { wallet, from, to }: { wallet: string; from: string; to: string },
): Promise<PagePart> {
  const rows = rowsOf(told);
  const plot = plotter();
  for await (const _ of plot.passing(oneByOne(rows)));
  const flows = flowsOf(rows).map((flow) => [flow.day, flow.token, flow.in, flow.out, flow.fees]);
  const closing = rows.filter(({ row }) => row === 'closing');
  const path = `/wallets/${encodeURIComponent(wallet)}/statement`;
  const links = statementForms.map(
    (form) =>
      html`<li><a href="${path}.${form}?from=${from}&amp;to=${to}" download>${form}</a></li>`,
  );
  const left = told.left.map((words) => html`<li>${words}</li>`);
  return [
    rows.length > 0 && picture(plot.svg()),
    flows.length === 0
      ? html`<p>Nothing came in or went out.</p>`
      : table('In and out a day', ['Day (UTC)', 'Token', 'In', 'Out', 'Fees'], flows),
    table(
      'Balances at the end',
      ['Amount', 'Token', 'Block'],
      closing.map(({ balance = 'nothing proves it', token, block }) => [balance, token, block]),
    ),
    left.length > 0 && html`<p class="warn">Not looked at:</p><ul>${left}</ul>`,
    html`<p>Download the statement:</p><ul>${links}</ul>`,
  ];
}

/** A picture in the page itself. A browser runs nothing in it. */
function picture(svg: string): Html {
  const data = Buffer.from(svg).toString('base64');
  return html`<img src="data:image/svg+xml;base64,${data}"
 alt="Balances, and amounts in and out a day. The table below has the numbers.">`;
}
