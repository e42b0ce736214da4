import { createHash, timingSafeEqual } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastifyCors from '@fastify/cors';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CodecServerConfig } from './config';
import { loginPage, pageHeaders } from './loginPage';
import { CodecError, createSeals } from './seals';

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
const { Payload: proto } = temporal.api.common.v1;

const cookieName = 'steadfast_codec';
const sessionHours = 8;

type CodecServerParts = Omit<CodecServerConfig, 'host' | 'port'>;

/**
 * Encodes and decodes payloads for Temporal's CLI and UI. A caller needs the token as a bearer. A
 * browser needs a sign-in here, and asks from the one origin of the UI.
 */
export function createCodecServer(parts: CodecServerParts): FastifyInstance {
  const { keys, token, uiOrigin } = parts;
  const server = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
  });
  // A page may send it anywhere without asking beforehand.
  server.removeContentTypeParser('text/plain');
  const { seal, open } = createSeals(keys);
  server.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
  void server.register(fastifyCookie, { secret: `steadfast codec session ${token}` });
  // The browser lets the page of the UI read the answers and send the cookie, and no other page.
  void server.register(fastifyCors, {
    origin: uiOrigin === undefined ? false : [uiOrigin],
    credentials: true,
    methods: 'POST',
    allowedHeaders: 'content-type, x-namespace, authorization',
  });
  server.setErrorHandler(answerError);
  signIn(server, parts);
  for (const [path, turn] of [
    ['/encode', seal],
    ['/decode', open],
  ] as const) {
    server.post(path, {
      onRequest: async (request) => refuseStranger(request, parts),
      handler: async (request) => {
        const namespace = namespaceOf(request) || parts.namespace;
        const { payloads } = readBody(request.body);
        return {
          payloads: payloads.map((one) => toWire(turn(proto.fromObject(one), { namespace }))),
        };
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

/**
 * A cookie alone proves nothing, since the browser sends it for whatever page asks: the page has to
 * be the UI's.
 */
function refuseStranger(request: FastifyRequest, { token, uiOrigin }: CodecServerParts): void {
  const { authorization = '', origin } = request.headers;
  const [, bearer] = /^Bearer (\S+)$/.exec(authorization) ?? [];
  if (bearer !== undefined && isSame(bearer, token)) return;
  const isUi = uiOrigin !== undefined && origin === uiOrigin;
  if (isUi && isSignedIn(request)) return;
  throw new Refusal(
    401,
    'Give the token: with the CLI as --codec-auth "Bearer <token>", in a browser on the page of ' +
      'this server.',
  );
}

/** Nothing is kept of a session: the signed cookie holds the time of its end. */
function isSignedIn(request: FastifyRequest): boolean {
  const { valid, value } = request.unsignCookie(request.cookies[cookieName] ?? '');
  return valid && Number(value) > Date.now();
}

function signIn(server: FastifyInstance, { token, uiOrigin = '' }: CodecServerParts): void {
  const type = 'application/x-www-form-urlencoded';
  server.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 4_096 }, (_, form, done) => {
    done(null, new URLSearchParams(String(form)));
  });
  const words = 'Give the token (STEADFAST_CODEC_TOKEN) to read private payloads in Temporal UI.';
  server.get('/', async (_, reply) => reply.headers(pageHeaders).send(loginPage(words)));
  server.post('/login', async ({ body: form }, reply) => {
    const given = form instanceof URLSearchParams ? (form.get('token') ?? '') : '';
    reply.headers(pageHeaders);
    if (!isSame(given, token)) {
      return reply.code(401).send(loginPage('This is not the token. Try again.'));
    }
    const maxAge = sessionHours * 3_600;
    const end = String(Date.now() + maxAge * 1_000);
    // Browsers keep a secure cookie only where the page is on https, as the UI is then.
    const secure = uiOrigin.startsWith('https:');
    const closed = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
    reply.setCookie(cookieName, end, { ...closed, maxAge, signed: true });
    const signedIn = `Signed in for ${sessionHours} hours. Load Temporal UI again.`;
    return reply.send(loginPage(signedIn));
  });
}

/** Compares digests, since a comparison of texts tells how long the part is that they share. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/**
 * The namespace whose payloads may be decoded, and that owns new ones. Temporal's CLI leaves it
 * empty when it was given no namespace.
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

/** A payload in the JSON of protobuf, which has bytes as base64. */
function toWire(payload: Payload) {
  return proto.toObject(proto.fromObject(payload), { bytes: String });
}

function answerError(error: Error, _: FastifyRequest, reply: FastifyReply): void {
  const told = 'statusCode' in error ? Number(error.statusCode) : 500;
  const status = error instanceof CodecError ? 400 : told;
  const message = status < 500 ? error.message : 'The codec server could not do this.';
  void reply.code(status).send({ message });
}
