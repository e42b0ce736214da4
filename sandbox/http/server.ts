import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
} from '../../src/custody/endpoints';
import { fault, sideOf } from '../errors/errors';
import { refused } from './answer';
import type { CheckApiKey } from './auth';
import { refuseBroken, refuseExpectation } from './brokenRequest';
import type { Calls } from './calls';
import { openEndpoints } from './carryOut';
import type { Certificate } from './certificate';
import { send } from './disturb';
import { readJsonBodies } from './jsonBody';
import type { RateLimit } from './rateLimit';
import { type ServeParts, serve } from './serve';
import type { CallTraces } from './trace';

export const basePath = '/v1/w3s';
const bodyBytesMax = 1024 * 1024;
/** For a whole request to come in. */
const requestTimeoutMs = 30_000;
/** The form of a request id that is sent back: nothing that has a meaning in a header or a log. */
const requestIdForm = /^[\w.-]{1,128}$/;

type ServerParts = Pick<ServeParts, 'calls' | 'faults'> & {
  /** The running service. A call waits for it while it is being replaced. */
  current: { use(): Promise<Omit<ServeParts, 'calls' | 'faults'>> };
  checkApiKey: CheckApiKey;
  rateLimit: RateLimit;
  traces?: CallTraces | undefined;
  /** The server speaks TLS if it has one. */
  certificate?: Pick<Certificate, 'cert' | 'key'> | undefined;
};

/**
 * HTTP in, handler, HTTP out: the only place that knows headers, statuses and envelopes. The API
 * key is looked at first, then the rate limit, and only then the body.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const { certificate } = parts;
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    refuseAndNote(parts.calls, { error, request, reply });
  const server = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    routerOptions: { ignoreDuplicateSlashes: true },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    ...(certificate === undefined
      ? { http: { requireHostHeader: false } }
      : { https: { ...certificate, requireHostHeader: false } }),
    clientErrorHandler: refuseBroken,
    frameworkErrors: refuse,
  });
  server.server.on('checkExpectation', refuseExpectation);
  readJsonBodies(server);
  server.addHook('onRequest', async (request, reply) => {
    const given = String(request.headers['x-request-id'] ?? '');
    reply.header('x-request-id', requestIdForm.test(given) ? given : randomUUID());
  });
  parts.traces?.follow(server);
  server.setErrorHandler(refuse);
  server.setNotFoundHandler((request, reply) => refuse(fault('notFound'), request, reply));
  const end = new AbortController();
  // Each call that a fault plan holds back listens to it.
  setMaxListeners(0, end.signal);
  server.addHook('preClose', async () => end.abort());
  for (const name of endpointNames) route(server, { ...parts, ended: end.signal }, name);
  return server;
}

/** The path of an endpoint, below the origin. */
export function endpointPath({ root, path }: Pick<Endpoint, 'root' | 'path'>): string {
  return root === 'base' ? basePath + path : path;
}

function route(
  server: FastifyInstance,
  parts: ServerParts & { ended: AbortSignal },
  name: EndpointName,
): void {
  const { current, calls, faults, checkApiKey, rateLimit, ended } = parts;
  const endpoint: Endpoint = endpoints[name];
  server.route({
    method: endpoint.method,
    url: endpointPath(endpoint),
    onRequest: async (request) => {
      if (openEndpoints.includes(name)) return;
      checkApiKey(request.headers.authorization, sideOf(endpoint));
      rateLimit(endpoint.rate);
    },
    handler: async (request, reply) => {
      const running = await current.use();
      return serve({ ...running, calls, faults }, { name, request, reply, ended });
    },
    errorHandler: (error, request, reply) => refuseAndNote(calls, { name, error, request, reply }),
  });
}

type Refusal = {
  name?: EndpointName;
  error: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

function refuseAndNote(calls: Calls, { name, error, request, reply }: Refusal): FastifyReply {
  const answer = refused(error);
  calls.note(request, { endpoint: name, status: answer.status, code: answer.code });
  return send(reply, answer);
}
