import { frame, type Viewer } from '../page/frame';
import { type Html, html } from '../page/html';
import type { ConsoleParts } from '../parts';
import { payersFor } from './payers';
import { fileBytesMax, fileLinesMax, wayOfLarge } from './upload';
import { walletNames } from './walletNames';

const path = '/start';

type Parts = Pick<ConsoleParts, 'policy' | 'watch'>;

/** The page that leads to all that a person can request. */
export function startPage(viewer: Viewer): string {
  return frame(
    { title: 'New', viewer, path },
    html`<p>You request it with your passkey. Others approve it where the policy asks them. Whoever
requests an order never approves it.</p>
<ul><li><a href="/start/transfer">New transfer</a></li>
<li><a href="/start/payout">New payout from a file</a></li></ul>`,
  );
}

/** The form of a transfer. */
export async function transferForm({ policy, watch }: Parts, viewer: Viewer): Promise<string> {
  const { person } = viewer;
  const wallets = payersFor(policy(), { person, kind: 'transferStablecoin' });
  if (wallets.length === 0) return nobodyPays('New transfer', viewer);
  const names = await walletNames(watch);
  const options = wallets.map((wallet) => {
    const words = [names.get(wallet) ?? [], wallet].flat().join(' · ');
    return html`<option value="${wallet}">${words}</option>`;
  });
  return frame(
    { title: 'New transfer', viewer, path },
    form(
      '/start/transfer',
      html`<label>From the wallet <select name="wallet">${options}</select></label>
${field('to', 'To an address, or a name of the address book')}
${field('amount', 'Amount, such as 12.50')}
<label>Token <input name="token" value="USDC" maxlength="100"></label>
${field('reference', 'Reference, for people')}
${field('id', 'Your own id of it, such as invoice-4711. One id pays once')}`,
    ),
  );
}

/** The form of a payout, with its file. */
export async function payoutForm({ policy, watch }: Parts, viewer: Viewer): Promise<string> {
  const { person } = viewer;
  const payers = payersFor(policy(), { person, kind: 'payout' });
  const wallets = payers.filter(isId);
  if (wallets.length === 0) return nobodyPays('New payout', viewer, payers);
  const names = await walletNames(watch);
  const boxes = wallets.map(
    (wallet) => html`<label><input type="checkbox" data-list name="wallets" value="${wallet}">
 <code>${wallet}</code> ${names.get(wallet)}</label>`,
  );
  const forms = '.csv,.tsv,.jsonl,.ndjson,.json,.xml';
  return frame(
    { title: 'New payout', viewer, path },
    form(
      '/start/payout',
      html`<label>File of lines: CSV, JSON Lines, a JSON list, or pain.001 as XML.
At most ${fileLinesMax} lines
<input type="file" name="file" accept="${forms}" data-max="${fileBytesMax}"
 data-way="${wayOfLarge}"></label>
<fieldset><legend>Wallets that pay</legend>${boxes}</fieldset>
${field('id', 'Your own id of it, such as 2026-01. Another id pays the same lines again')}
${field('reference', 'Reference, for people')}
${field('token', 'Token of lines that name none (--token)')}
${field('map', 'Columns by the fields that they hold (--map), such as to=Wallet Address')}
${field('ignore', 'Columns to leave alone (--ignore), with commas between them')}
<label><input type="checkbox" name="batch" checked>
Pay many lines with one transaction where that is possible</label>`,
    ),
  );
}

function form(to: string, fields: Html): Html {
  return html`<form id="draft">${fields}
<p class="actions"><button type="button" class="main" data-action="draft" data-path="${to}">Show
what I sign</button></p></form>`;
}

function field(name: string, words: string): Html {
  return html`<label>${words} <input name="${name}" maxlength="1000"></label>`;
}

/** A payout names its wallets by their ids. */
function isId(wallet: string): boolean {
  return !wallet.startsWith('0x');
}

function nobodyPays(title: string, viewer: Viewer, addresses: readonly string[] = []): string {
  return frame(
    { title, viewer, path },
    addresses.length > 0
      ? html`<p>A payout names its wallets by their ids, and the policy names those that pay for you
by their addresses: ${addresses.join(', ')}. Let the owner of the policy write the ids.</p>`
      : html`<p>No limit of the policy lets a wallet pay what you request. Such a limit names
<code>signedBy</code> with a group of yours, the kind of order, and its wallets.</p>`,
  );
}
