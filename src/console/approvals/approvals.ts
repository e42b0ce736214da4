import type { FastifyInstance } from 'fastify';
import { askingsIn } from '../../client/asking/askings';
import type { Guard } from '../guard';
import { orderNamed, pageType } from '../page/orderNamed';
import { search } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { comparing } from './comparing';
import { challengeFor, decidedOn, decision, decisionOf } from './decide';
import { questionPage } from './questionPage';
import { lookingAt, questionOf, questionShown } from './questions';
import { waitingPage } from './waitingPage';

const readAheadMax = 3;

/** Adds the pages of what waits for people, and of what they decide. */
export function approvalPages(server: FastifyInstance, parts: ConsoleParts, guard: Guard): void {
  const look = lookingAt(parts);
  /** Many lines take a second to read and check. A reader of the list opens one of them next. */
  const readAhead = async (mine: Awaited<ReturnType<typeof waitingPage>>['mine']) => {
    for (const { order, asking } of mine.slice(0, readAheadMax)) {
      // A fault is told on the page of the order.
      await look(order.workflowId, questionOf(asking)).catch(() => undefined);
    }
  };
  const compare = comparing(parts);

  server.get('/approvals', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { page } = readSent(search, request.query);
    const { text, mine } = await waitingPage(parts, { viewer, page });
    void readAhead(mine);
    return reply.type(pageType).send(text);
  });

  server.get('/approvals/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    const found = readSent(search, request.query);
    const status = await parts.steadfast.status(id);
    const { startedAt } = status;
    const { all, ...askings } = askingsIn(status, parts);
    const asked = await Promise.all(
      all.map(questionOf).map(async (question) => {
        const looked = await look(id, question);
        const compared = await compare({
          id,
          startedAt,
          lines: looked.lines,
          wanted: found.beside,
        });
        return { ...question, ...looked, compared };
      }),
    );
    const until = asked.length === 0 ? undefined : await parts.countsUntil(id);
    return reply
      .type(pageType)
      .send(questionPage(parts, { viewer, id, asked, ...askings, until, status, search: found }));
  });

  server.post('/approvals/:id/challenge', async (request) => {
    const { person } = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    const shown = readSent(decidedOn, request.body);
    return challengeFor(parts, {
      ...shown,
      person,
      question: await questionShown(parts, id, shown),
    });
  });

  server.post('/approvals/:id', async (request) => {
    const { person } = guard.viewerOf(request);
    const { id } = readSent(orderNamed, request.params);
    const given = readSent(decision, request.body);
    const question = await questionShown(parts, id, given);
    // Nobody signs for lines that were not shown.
    await look(id, question);
    const signed = decisionOf(parts, { ...given, person, question });
    const { steadfast } = parts;
    const { purpose, reason } = given;
    if (purpose === 'approval') await steadfast.approve(id, signed);
    else await steadfast.reject(id, { ...signed, reason });
    return {
      message: `Your ${purpose} was handed in. The worker that signs verifies it now.`,
    };
  });
}
