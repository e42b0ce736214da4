import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRecord } from '../custody/isRecord';
import { log } from '../log';
import { BadOrderError } from '../orders/input/read';
import { SentenceError } from '../orders/input/sentenceError';
import { limiter } from './limit';
import { frame } from './page/frame';
import { html, inLines } from './page/html';
import type { ConsoleParts } from './parts';
import { type Roles, rolesOf } from './people';
import { Refusal } from './refusal';
import type { Session, Sessions } from './signIn/sessions';

/**
 * Requests of one session in a minute, and of one address without a session. Behind a proxy,
 * strangers may share one address. They cannot use up what a session has.
 */
const requestsMax = 600;

/** The pages run and load nothing but the console's own, and are shown in no other page. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Browsers would leave out the origin of a form as well with no-referrer.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), ' +
    'microphone=(), geolocation=()',
} as const;

/** Paths that need no session. */
const open = ['/sign-in', '/enrol/', '/console.css', '/console.js'];

/** Lets in who may, and nobody else. */
export type Guard = {
  /** Refuses a request before anything of it is read. */
  onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Refuses a change without the token of its session. */
  preHandler(request: FastifyRequest): Promise<void>;
  /** The person who asks. Throws a Refusal for a stranger, and for somebody who has left. */
  viewerOf(request: FastifyRequest): Session & Roles;
  /** Logs each change that a person has asked for. */
  onResponse(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void;
};

/** The guard of a console. Its cookie is sent by the console's own pages alone. */
export function guarding(
  { origin, policy }: Pick<ConsoleParts, 'origin' | 'policy'>,
  sessions: Sessions,
): Guard {
  const { host, protocol } = new URL(origin);
  const name = cookieNameOf(origin);
  const [countPerson, countStranger] = [limiter(requestsMax), limiter(requestsMax)];
  const sessionOf = (request: FastifyRequest): Session | undefined =>
    sessions.find(request.cookies[name] ?? '');
  const viewerOf = (request: FastifyRequest): Session & Roles => {
    const session = sessionOf(request);
    if (session === undefined) throw new Refusal(401, 'Sign in first.');
    const { person, passkey } = session;
    const read = policy();
    if (read.signIn.get(person)?.includes(passkey) === true) {
      return { ...session, ...rolesOf(read, person) };
    }
    throw new Refusal(401, `The policy has no such passkey of ${person} any more. Sign in again.`);
  };
  return {
    viewerOf,
    onRequest: async (request, reply) => {
      void reply.headers(headers);
      if (protocol === 'https:') reply.header('strict-transport-security', 'max-age=31536000');
      const { csrf } = sessionOf(request) ?? {};
      if (csrf === undefined) countStranger(request.ip);
      else countPerson(csrf);
      if (request.headers.host !== host) {
        throw new Refusal(421, `This console is at ${origin}. Open it there.`);
      }
      if (request.method !== 'GET' && request.headers.origin !== origin) {
        throw new Refusal(403, 'Another page has sent this. Nothing was done.');
      }
    },
    preHandler: async (request) => {
      if (isOpen(request)) return;
      const { csrf } = viewerOf(request);
      if (request.method === 'GET') return;
      const own = isRecord(request.body) ? request.body.csrf : undefined;
      if (isSame(String(request.headers['x-csrf'] ?? own ?? ''), csrf)) return;
      throw new Refusal(403, 'This page is of another session. Load it again.');
    },
    onResponse: async (request, reply) => {
      const { person } = sessionOf(request) ?? {};
      if (request.method === 'GET' || person === undefined || isOpen(request)) return;
      const { url: path } = request;
      log.info({ person, path, status: reply.statusCode }, 'A person has asked for a change.');
    },
    answerError: (error, request, reply) => {
      const { status, message } = told(error);
      void reply.code(status);
      if (request.headers['content-type']?.startsWith('application/json')) {
        void reply.send({ message });
      } else if (status === 401 && request.method === 'GET') {
        void reply.redirect('/sign-in', 303);
      } else {
        const text = frame(
          { title: 'Not possible' },
          html`<p>${inLines(message)}</p><p><a href="/">Back</a>`,
        );
        void reply.type('text/html; charset=utf-8').send(text);
      }
    },
  };
}

function isOpen({ url }: FastifyRequest): boolean {
  return open.some((path) => url.startsWith(path));
}

/** The name of the session's cookie. With the prefix, browsers bind it to this host and to TLS. */
export function cookieNameOf(origin: string): string {
  return origin.startsWith('https:') ? '__Host-steadfast' : 'steadfast';
}

function told(error: unknown): { status: number; message: string } {
  if (error instanceof Refusal) return { status: error.statusCode, message: error.message };
  if (error instanceof BadOrderError) return { status: 400, message: error.message };
  // Temporal is away. It says so in a sentence.
  if (error instanceof SentenceError) return { status: 503, message: error.message };
  const status = isRecord(error) ? Number(error.statusCode) : Number.NaN;
  if (error instanceof Error && status >= 400 && status < 500) {
    return { status, message: error.message };
  }
  log.error(error, 'A page of the console failed.');
  return { status: 500, message: 'The console could not do this. Its log says why.' };
}

/** Compares digests, since a comparison of texts tells how long the part is that they share. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
