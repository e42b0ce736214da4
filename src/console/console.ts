import fastifyCookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { approvalPages } from './approvals/approvals';
import { bookPages } from './books/books';
import { guarding } from './guard';
import { healthPages } from './health/health';
import { enrolPages } from './invite/enrol';
import { orderPages } from './orders/orders';
import { ordersAlone } from './ordersAlone';
import { livePages } from './page/live';
import { script } from './page/script';
import { style } from './page/style';
import type { ConsoleParts } from './parts';
import { payoutPages } from './payouts/payouts';
import { Refusal } from './refusal';
import { createSessions } from './signIn/sessions';
import { signInPages } from './signIn/signIn';
import { requestPages } from './start/start';
import { walletPages } from './wallets/wallets';

const bodyBytesMax = 64 * 1024;
const requestTimeoutMs = 30_000;
/** An id of an order, each letter of which may take three in an address. */
const paramLengthMax = 3_000;

/**
 * The console: a client of Temporal with pages. It carries signatures of people to their orders,
 * and has no key of its own.
 */
export function createConsole(given: ConsoleParts): FastifyInstance {
  const parts = { ...given, steadfast: ordersAlone(given.steadfast) };
  const server = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: paramLengthMax },
    forceCloseConnections: true,
    // A proxy on this machine tells who asks. Nobody else is believed.
    trustProxy: 'loopback',
  });
  const sessions = createSessions();
  const guard = guarding(parts, sessions);
  // A page may send it anywhere without asking beforehand.
  server.removeContentTypeParser('text/plain');
  const form = 'application/x-www-form-urlencoded';
  server.addContentTypeParser(form, { parseAs: 'string', bodyLimit: 4_096 }, (_, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))));
  });
  void server.register(fastifyCookie);
  server.addHook('onRequest', guard.onRequest);
  server.addHook('preHandler', guard.preHandler);
  server.addHook('onResponse', guard.onResponse);
  server.setErrorHandler(guard.answerError);
  server.setNotFoundHandler(() => {
    throw new Refusal(404, 'There is no such page.');
  });
  server.get('/console.css', (_, reply) => reply.type('text/css').send(style));
  server.get('/console.js', (_, reply) => reply.type('text/javascript').send(script));
  server.get('/', (_, reply) => reply.redirect('/approvals', 303));
  signInPages(server, parts, sessions);
  enrolPages(server, parts);
  approvalPages(server, parts, guard);
  requestPages(server, parts, guard);
  const live = livePages(parts.steadfast);
  payoutPages(server, parts, { guard, live });
  orderPages(server, parts, { guard, live });
  walletPages(server, parts, guard);
  bookPages(server, parts, guard);
  healthPages(server, parts, guard);
  return server;
}
