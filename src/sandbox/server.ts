import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Endpoint, type EndpointName, endpoints } from '../custody/endpoints';
import type { Auth } from './auth';
import type { Calls } from './calls';
import { ApiError, fault, invalid, type Side } from './errors';
import type { SandboxApi } from './handlers';
import { parseInput, readBody } from './requestBody';

const basePath = '/v1/w3s';
const bodyBytesMax = 1024 * 1024;
/** The one endpoint that is open, and the one whose answer is not wrapped. */
const openEndpoints: readonly EndpointName[] = ['ping'];

export type ServerParts = { api: SandboxApi; auth: Auth; calls: Calls };

/** HTTP in, handler, HTTP out: the only place that knows headers, statuses and envelopes. */
export function createServer(parts: ServerParts): FastifyInstance {
  const server = fastify({
    bodyLimit: bodyBytesMax,
    routerOptions: { ignoreDuplicateSlashes: true },
    forceCloseConnections: true,
  });
  server.addHook('onRequest', async (request, reply) => {
    const given = request.headers['x-request-id'];
    reply.header('x-request-id', typeof given === 'string' ? given : randomUUID());
  });
  server.setErrorHandler((error, request, reply) => refuse(parts.calls, { error, request, reply }));
  server.setNotFoundHandler((request, reply) =>
    refuse(parts.calls, { error: fault('notFound'), request, reply }),
  );
  for (const name of Object.keys(endpoints)) {
    if (isEndpoint(name)) route(server, parts, name);
  }
  return server;
}

function isEndpoint(name: string): name is EndpointName {
  return name in endpoints;
}

function route(server: FastifyInstance, parts: ServerParts, name: EndpointName): void {
  const endpoint: Endpoint = endpoints[name];
  const url = endpoint.root === 'base' ? basePath + endpoint.path : endpoint.path;
  server.route({
    method: endpoint.method,
    url,
    handler: async (request, reply) => answer(parts, { name, endpoint, request, reply }),
    errorHandler: (error, request, reply) => refuse(parts.calls, { name, error, request, reply }),
  });
}

type Exchange = {
  name: EndpointName;
  endpoint: Endpoint;
  request: FastifyRequest;
  reply: FastifyReply;
};

async function answer(parts: ServerParts, exchange: Exchange): Promise<unknown> {
  const { name, endpoint, request, reply } = exchange;
  const { api, auth, calls } = parts;
  const side = sideOf(endpoint);
  if (!openEndpoints.includes(name)) auth.checkApiKey(request.headers.authorization, side);
  const { entitySecretCiphertext, ...given } = readBody(name, request);
  if (endpoint.signed && entitySecretCiphertext === undefined) {
    throw missingField('entitySecretCiphertext');
  }
  const input = parseInput(endpoint.input, given);
  if (endpoint.signed) auth.checkCiphertext(entitySecretCiphertext, side);
  let replayed = false;
  const options = {
    replayed: () => {
      replayed = true;
    },
  };
  // The table types each method's own input; here one of them has just been parsed by its schema.
  const handler = api[name] as (input: unknown, options: unknown) => Promise<unknown>;
  const data = await handler(input, options);
  // What is created says 201 the first time, and 200 when its key is repeated.
  const status = replayed ? 200 : endpoint.success;
  calls.note(request, { name, status });
  reply.status(status);
  if (status === 204) return reply.send();
  return openEndpoints.includes(name) ? data : { data };
}

function sideOf(endpoint: Endpoint): Side {
  return /^\/(templates|contracts)/.test(endpoint.path) ? 'contracts' : 'wallets';
}

function missingField(location: string): ApiError {
  const message = `${location} is required`;
  const entry = { error: 'required', message, location, invalidValue: 'null', constraints: {} };
  return invalid([entry]);
}

type Refusal = {
  name?: EndpointName;
  error: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

function refuse(calls: Calls, { name, error, request, reply }: Refusal): FastifyReply {
  const { status, code, message, errors } = asApiError(error);
  calls.note(request, { name, status, code });
  return reply.status(status).send({ code, message, ...(errors === undefined ? {} : { errors }) });
}

/** What went wrong in the sandbox itself is a 500, and is said on standard error. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new ApiError('Request body is too large', { status: 413, code: 413 });
  if (status < 500) return new ApiError('Invalid Entity', { status: 400, code: 2 });
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return new ApiError('Something went wrong', { status: 500, code: 500 });
}
