import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { statementAsked } from '../../client/account/asked';
import type { WalletsTold } from '../../client/account/told';
import type { Guard } from '../guard';
import { frame } from '../page/frame';
import { type Html, html } from '../page/html';
import { wholeAddress } from '../page/names';
import { pageType } from '../page/orderNamed';
import { partOf, wholeOf } from '../page/part';
import { type PageSearch, search, searched } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { statementFile, statementForms } from './statementFile';
import { walletPage } from './walletPage';

const walletNamed = z.object({ id: z.uuid({ error: 'must be the id of a wallet' }) });
/** An empty field of the form counts as absent. */
const day = z.preprocess((text) => (text === '' ? undefined : text), z.iso.date().optional());
const period = z.object({ from: day, to: day });

const command = 'npx --no-install steadfast wallets';

/** Adds the pages of wallets. They show what the service says, as a worker has read it. */
export function walletPages(
  server: FastifyInstance,
  { watch }: Pick<ConsoleParts, 'watch'>,
  guard: Guard,
): void {
  server.get('/wallets', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const found = readSent(search, request.query);
    const list = await partOf(watch.wallets(), (told) => listShown(told, found));
    const text = frame({ title: 'Wallets', viewer, path: '/wallets' }, list);
    return reply.type(pageType).send(text);
  });

  server.get('/wallets/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { id } = readSent(walletNamed, request.params);
    const { from, to } = readSent(period, request.query);
    const text = await walletPage(watch, { viewer, id, from, to });
    return reply.type(pageType).send(text);
  });

  server.get('/wallets/:id/statement.:form', async (request, reply) => {
    guard.viewerOf(request);
    const { id } = readSent(walletNamed, request.params);
    const { form } = readSent(z.object({ form: z.enum(statementForms) }), request.params);
    const given = readSent(period, request.query);
    const wanted = readSent(statementAsked, { about: 'statement', wallet: id, ...given });
    const file = await wholeOf(watch.statement(wanted).then((told) => statementFile(told, form)));
    const name = `statement-${id}-${wanted.from}-${wanted.to}.${form}`;
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(file);
  });
}

function listShown({ wallets, blockchain, left }: WalletsTold, found: PageSearch): Html {
  type Wallet = WalletsTold['wallets'][number];
  const list = {
    title: 'All wallets of the account',
    label: 'Search wallets',
    path: '/wallets',
    columns: ['Name', 'Address', `Balances on ${blockchain}`, 'Type'],
    textsOf: ({ id, name, address, held }: Wallet) => [id, name, address, ...held.flat()],
    cellsOf: ({ id, name, address, accountType, state, held }: Wallet) => [
      html`<a href="/wallets/${encodeURIComponent(id)}">${name || 'without a name'}</a>`,
      html`<code>${wholeAddress(address)}</code>`,
      held.length === 0
        ? 'nothing'
        : held.map(([amount, token]) => html`<div>${amount} ${token}</div>`),
      state === 'LIVE' ? accountType : `${accountType}, ${state}`,
    ],
  };
  return html`<p>The service says so, as a worker has read it. It tells the tokens that
the network of the workers lists. The statement of a wallet has all others.</p>
${searched(wallets, list, found)}
${
  left > 0 &&
  html`<p class="warn">${left} more are not shown. Their command is
<code>${command}</code>.</p>`
}`;
}
