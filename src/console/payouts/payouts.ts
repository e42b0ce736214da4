import type { FastifyInstance } from 'fastify';
import type { LineResult } from '../../orders/payout';
import type { Guard } from '../guard';
import { frame, moment, table } from '../page/frame';
import { html } from '../page/html';
import type { LivePages } from '../page/live';
import { namesOf } from '../page/names';
import { orderNamed, pageType } from '../page/orderNamed';
import { search } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { payoutPage } from './payoutPage';

const shownMax = 100;

/** Adds the pages of payouts. They move nothing. */
export function payoutPages(
  server: FastifyInstance,
  { steadfast, book, policy, isOwn }: ConsoleParts,
  { guard, live }: { guard: Guard; live: LivePages },
): void {
  server.get('/payouts', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const payouts = await steadfast.list({ kind: 'payout', limit: shownMax });
    const own = payouts.filter(({ workflowId }) => isOwn(workflowId));
    const rows = own.map(({ workflowId, status, execution, startedAt }) => [
      html`<a href="/payouts/${encodeURIComponent(workflowId)}">${workflowId}</a>`,
      status ?? execution,
      moment(startedAt),
    ]);
    const text = frame(
      { title: 'Payouts', viewer, path: '/payouts' },
      rows.length === 0
        ? html`<p>There is no payout.</p>`
        : table('Payouts, newest first', ['Payout', 'Status', 'Begun'], rows),
    );
    return reply.type(pageType).send(text);
  });

  server.get('/payouts/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    const status = await steadfast.status(id);
    const lines: LineResult[] = [];
    for await (const line of steadfast.payoutLines(id)) lines.push(line);
    const found = readSent(search, request.query);
    const nameOf = namesOf(book, policy());
    return reply.type(pageType).send(payoutPage({ viewer, status, lines, nameOf, search: found }));
  });

  server.get('/payouts/:id/live', (request, reply) => {
    guard.viewerOf(request);
    live.listen(readSent(orderNamed, request.params).id, reply);
  });
}
