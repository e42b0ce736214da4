import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { standingIn } from '../../client/find/standing';
import { namedLines } from '../../client/lines/namedLines';
import { inCsv } from '../../client/lines/resultsCsv';
import type { OrderStatus } from '../../client/orderStatus';
import { namesOf } from '../../writer/file/namesOf';
import type { Guard } from '../guard';
import { frame, moment, table } from '../page/frame';
import { html } from '../page/html';
import { type LivePages, listenerOf } from '../page/live';
import { olderThan, pageUntil, until } from '../page/older';
import { orderNamed, pageType } from '../page/orderNamed';
import { search } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { keepingLines } from './linesKept';
import { paidElsewhere } from './paidElsewhere';
import { payoutPage, payoutPath } from './payoutPage';

const listed = z.object({ until });
/** A line that is sent again, and the like payment that its reader was told of. */
const again = z.strictObject({
  lineId: z.string().min(1).max(64),
  despite: z.string().max(10_000).optional(),
});

/** Adds the pages of payouts, the retry of a line, and the results as a file. */
export function payoutPages(
  server: FastifyInstance,
  parts: ConsoleParts,
  { guard, live }: { guard: Guard; live: LivePages },
): void {
  const { steadfast, book, policy, isOwn, keyScope: scope } = parts;
  const linesOf = keepingLines(steadfast);

  const payoutOf = async (params: unknown): Promise<OrderStatus> => {
    const { id } = readSent(orderNamed, params);
    const status = await steadfast.status(id);
    if (status.kind === 'payout') return status;
    throw new Refusal(404, `${id} is no payout. Choose one of the list.`);
  };

  server.get('/payouts', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const asked = readSent(listed, request.query);
    const payouts = await steadfast.list({ kind: 'payout', scope, ...pageUntil(asked.until) });
    const { here, older } = olderThan(payouts, { path: '/payouts' });
    const own = here.filter(({ workflowId }) => isOwn(workflowId));
    const rows = own.map(({ workflowId, status, execution, startedAt }) => [
      html`<a href="${payoutPath(workflowId)}">${workflowId}</a>`,
      standingIn(status, execution),
      moment(startedAt),
    ]);
    const text = frame(
      { title: 'Payouts', viewer, path: '/payouts' },
      rows.length === 0
        ? html`<p>There is no payout${older && ' here'}.</p>`
        : table('Payouts, newest first', ['Payout', 'Status', 'Begun'], rows),
      older,
    );
    return reply.type(pageType).send(text);
  });

  server.get('/payouts/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const status = await payoutOf(request.params);
    const lines = await linesOf(status);
    const found = readSent(search, request.query);
    const nameOf = namesOf(book(), policy());
    return reply.type(pageType).send(payoutPage({ viewer, status, lines, nameOf, search: found }));
  });

  server.post('/payouts/:id/retry', async (request) => {
    const { person, isRequester } = guard.viewerOf(request);
    const { lineId, despite } = readSent(again, request.body);
    if (!isRequester) throw new Refusal(403, `${person} requests no payments, and retries none.`);
    const status = await payoutOf(request.params);
    const { workflowId: id } = status;
    const line = (await linesOf(status)).find((one) => one.lineId === lineId);
    const like = line && (await paidElsewhere(parts, { orderId: id, line }));
    if (like !== undefined && like !== despite) {
      const way = 'To send it all the same, press again.';
      return { message: `Nothing is sent yet: the line ${lineId} ${like}. ${way}`, despite: like };
    }
    // It is started again as it was requested, so that no signature of now is needed.
    await steadfast.retry(id, [lineId]);
    return { message: `The line ${lineId} is sent again, unless the policy refuses it.` };
  });

  server.get('/payouts/:id/results.csv', async (request, reply) => {
    guard.viewerOf(request);
    const { workflowId: id } = await payoutOf(request.params);
    const nameOf = namesOf(book(), policy());
    const text = inCsv(namedLines(steadfast.payoutLines(id), nameOf));
    // An id that nobody knows is told as a page.
    const first = await text.next();
    const name = `${id.replace(/[^\w.-]/g, '_')}.csv`;
    void reply.header('content-disposition', `attachment; filename="${name}"`);
    return reply.type('text/csv; charset=utf-8').send(Readable.from(whole(first, text)));
  });

  server.get('/payouts/:id/live', async (request, reply) => {
    const listener = listenerOf(guard, request);
    const { workflowId: id } = await payoutOf(request.params);
    live.listen(id, reply, listener);
  });
}

async function* whole(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
