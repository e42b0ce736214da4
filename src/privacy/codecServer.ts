import type { Payload } from '@temporalio/common';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CodecServerConfig } from './config';
import { loginPage, pageHeaders } from './loginPage';
import { CodecError, createSeals } from './seals';
import { createSessions, type Sessions, sessionHours } from './session';

/** Temporal answers with at most 4 MiB, and base64 makes a third more of it. */
const bodyBytesMax = 8 * 1024 * 1024;
const payloadsMax = 10_000;
const requestTimeoutMs = 30_000;

const base64 = z.base64({ error: 'must be base64' });
/** Payloads as the JSON of protobuf has them. */
const body = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
    .max(payloadsMax)
    .default([]),
});
type WirePayload = z.output<typeof body>['payloads'][number];

const cookieName = 'steadfast_codec';

export type CodecServerParts = Omit<CodecServerConfig, 'host' | 'port'>;

/**
 * Encodes and decodes payloads for Temporal's CLI and UI, for who knows the token: as a bearer, or
 * from the one origin of a UI whose user has signed in here.
 */
export function createCodecServer(parts: CodecServerParts): FastifyInstance {
  const { keys, token, uiOrigin } = parts;
  const server = fastify({
    ...{ bodyLimit: bodyBytesMax, requestTimeout: requestTimeoutMs, forceCloseConnections: true },
  });
  // A page may send it anywhere without asking beforehand.
  server.removeContentTypeParser('text/plain');
  const sessions = createSessions(token);
  const { seal, open } = createSeals(keys);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (uiOrigin !== undefined) shareWith(uiOrigin, request, reply);
  });
  server.setErrorHandler(answerError);
  signIn(server, sessions);
  for (const [path, turn] of [
    ['/encode', seal],
    ['/decode', open],
  ] as const) {
    // What a browser asks first: whether the UI's page may ask at all.
    server.options(path, async (_, reply) => reply.code(204).send());
    server.post(path, {
      onRequest: async (request) => refuseStranger(request, sessions, uiOrigin),
      handler: async (request) => {
        const namespace = namespaceOf(request) || parts.namespace;
        const { payloads } = readBody(request.body);
        return { payloads: payloads.map((one) => toWire(turn(fromWire(one), { namespace }))) };
      },
    });
  }
  return server;
}

/** A refusal, with its status. */
class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** The browser lets the page of the UI read our answers, and send the cookie; no other page. */
function shareWith(uiOrigin: string, { headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'origin');
  if (headers.origin !== uiOrigin) return;
  reply.headers({
    'access-control-allow-origin': uiOrigin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, x-namespace, authorization',
  });
}

/**
 * A cookie alone proves nothing, since the browser sends it for whatever page asks: the page has to
 * be the UI's.
 */
function refuseStranger(
  { headers }: FastifyRequest,
  sessions: Sessions,
  uiOrigin: string | undefined,
): void {
  const [, bearer] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined && sessions.isToken(bearer)) return;
  const isUi = uiOrigin !== undefined && headers.origin === uiOrigin;
  if (isUi && sessions.isValid(cookieOf(headers.cookie ?? ''), Date.now())) return;
  throw new Refusal(
    401,
    'Give the token: with the CLI as --codec-auth "Bearer <token>", in a browser on the page of ' +
      'this server.',
  );
}

function signIn(server: FastifyInstance, sessions: Sessions): void {
  const type = 'application/x-www-form-urlencoded';
  server.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 4_096 }, (_, form, done) => {
    done(null, new URLSearchParams(String(form)));
  });
  const words = 'Give the token (STEADFAST_CODEC_TOKEN) to read private payloads in Temporal UI.';
  server.get('/', async (_, reply) => reply.headers(pageHeaders).send(loginPage(words)));
  server.post('/login', async ({ body: form }, reply) => {
    const given = form instanceof URLSearchParams ? (form.get('token') ?? '') : '';
    reply.headers(pageHeaders);
    if (!sessions.isToken(given)) {
      return reply.code(401).send(loginPage('This is not the token. Try again.'));
    }
    const cookie = `${cookieName}=${sessions.begin(Date.now())}`;
    const seconds = sessionHours * 3_600;
    reply.header('set-cookie', `${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`);
    const signedIn = `Signed in for ${sessionHours} hours. Load Temporal UI again.`;
    return reply.send(loginPage(signedIn));
  });
}

function cookieOf(cookies: string): string {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${cookieName}=`));
  return found?.slice(cookieName.length + 1) ?? '';
}

/**
 * Which payloads may be decoded, and what new ones belong to. Temporal's CLI leaves it empty where
 * it was not told of a namespace itself.
 */
function namespaceOf({ headers }: FastifyRequest): string {
  return String(headers['x-namespace'] ?? '');
}

function readBody(given: unknown): z.output<typeof body> {
  const read = body.safeParse(given);
  if (read.success) return read.data;
  const { path = [], message = 'is wrong' } = read.error.issues[0] ?? {};
  throw new Refusal(400, `${path.join('.') || 'The body'}: ${message}.`);
}

function fromWire({ metadata = {}, data = '' }: WirePayload): Payload {
  const bytes = Object.entries(metadata).map(([name, value]) => [name, fromBase64(value)]);
  return { metadata: Object.fromEntries(bytes), data: fromBase64(data) };
}

function toWire({ metadata, data }: Payload) {
  const texts = Object.entries(metadata ?? {}).map(([name, value]) => [name, inBase64(value)]);
  return { metadata: Object.fromEntries(texts), data: inBase64(data ?? Buffer.alloc(0)) };
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function answerError(error: Error, _: FastifyRequest, reply: FastifyReply): void {
  const told = 'statusCode' in error ? Number(error.statusCode) : 500;
  const status = error instanceof CodecError ? 400 : told;
  const message = status < 500 ? error.message : 'The codec server could not do this.';
  void reply.code(status).send({ message });
}
