import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { standingIn } from '../../client/find/standing';
import { statuses } from '../../orders/progress/status';
import type { Guard } from '../guard';
import { frame, moment, table } from '../page/frame';
import { html } from '../page/html';
import { type LivePages, listenerOf } from '../page/live';
import { olderThan, pageUntil, until } from '../page/older';
import { orderNamed, pageType } from '../page/orderNamed';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { orderControls } from './controls';
import { orderPage } from './orderPage';

const wanted = z.object({
  status: z.enum(['', ...statuses]).default(''),
  reference: z.string().max(200).default(''),
  until,
});

/** Adds the pages of orders, and their controls. */
export function orderPages(
  server: FastifyInstance,
  parts: ConsoleParts,
  { guard, live }: { guard: Guard; live: LivePages },
): void {
  const { steadfast, isOwn, keyScope: scope } = parts;
  orderControls(server, parts, guard);

  server.get('/orders', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const asked = readSent(wanted, request.query);
    const { status, reference } = asked;
    const orders = await steadfast.list({
      scope,
      ...pageUntil(asked.until),
      ...(status === '' ? {} : { status }),
      ...(reference === '' ? {} : { reference }),
    });
    const { here, older } = olderThan(orders, { path: '/orders', status, reference });
    const own = here.filter(({ workflowId }) => isOwn(workflowId));
    const rows = own.map((order) => [
      html`<a href="/orders/${encodeURIComponent(order.workflowId)}">${order.workflowId}</a>`,
      order.kind,
      standingIn(order.status, order.execution),
      order.reference ?? '',
      moment(order.startedAt),
    ]);
    const options = ['', ...statuses].map((one) => {
      const words = one === '' ? 'any' : one;
      return html`<option value="${one}"${one === status && html` selected`}>${words}</option>`;
    });
    const text = frame(
      { title: 'Orders', viewer, path: '/orders' },
      html`<form class="actions" method="get" action="/orders" role="search">
<label>Status <select name="status">${options}</select></label>
<label>Reference <input name="reference" value="${reference}" maxlength="200"></label>
<button>Search</button></form>`,
      rows.length === 0
        ? html`<p>There is no such order${older && ' here'}.</p>`
        : table('Newest first', ['Order', 'Kind', 'Status', 'Reference', 'Begun'], rows),
      older,
    );
    return reply.type(pageType).send(text);
  });

  server.get('/orders/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    return reply
      .type(pageType)
      .send(orderPage(parts, { viewer, status: await steadfast.status(id) }));
  });

  server.get('/orders/:id/live', async (request, reply) => {
    const listener = listenerOf(guard, request);
    const { id } = readSent(orderNamed, request.params);
    await steadfast.status(id);
    live.listen(id, reply, listener);
  });
}
