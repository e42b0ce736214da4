import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { LineResult } from '../../orders/payout';
import type { Guard } from '../guard';
import { frame, moment, table } from '../page/frame';
import { html } from '../page/html';
import { namesOf } from '../page/names';
import { search } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { livePages } from './live';
import { payoutPage } from './payoutPage';

const type = 'text/html; charset=utf-8';
const named = z.object({ id: z.string().min(1).max(1_000) });
const shownMax = 100;

/** Adds the pages of payouts. They move nothing. */
export function payoutPages(server: FastifyInstance, parts: ConsoleParts, guard: Guard): void {
  const { steadfast, book, policy } = parts;
  const live = livePages(steadfast);

  server.get('/payouts', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const payouts = await steadfast.list({ kind: 'payout', limit: shownMax });
    const rows = payouts.map(({ workflowId, status, execution, startedAt }) => [
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
    return reply.type(type).send(text);
  });

  server.get('/payouts/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { id } = readSent(named, request.params);
    const status = await steadfast.status(id);
    const lines: LineResult[] = [];
    for await (const line of steadfast.payoutLines(id)) lines.push(line);
    const found = readSent(search, request.query);
    const nameOf = namesOf(book, policy());
    return reply.type(type).send(payoutPage({ viewer, status, lines, nameOf, search: found }));
  });

  server.get('/payouts/:id/live', (request, reply) => {
    guard.viewerOf(request);
    const { id } = readSent(named, request.params);
    if (live.isFull()) throw new Refusal(429, 'Too many pages listen. Load this one again later.');
    reply.hijack();
    live.listen(id, reply.raw);
  });
}
