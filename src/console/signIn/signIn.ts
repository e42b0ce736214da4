import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { assertionOf, assertionText, challengeOf, ownerOf } from '../../writer/signing/assertion';
import { readPasskey } from '../../writer/signing/passkey';
import { SignatureError } from '../../writer/signing/sshSignature';
import { cookieNameOf } from '../guard';
import { limiter } from '../limit';
import { frame } from '../page/frame';
import { html } from '../page/html';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { type Touched, touched } from '../touched';
import { newToken, type Sessions } from './sessions';

const challengeMs = 300_000;
const challengesMax = 10_000;
/** Attempts of an address in a minute. */
const attemptsMax = 30;

const body = z.strictObject({ challenge: z.base64url(), made: touched });

/** A challenge that was given: the text and the moment that it follows from. */
type Given = { statement: string; at: string };

/** Adds the sign-in by a passkey, and the sign-out. */
export function signInPages(
  server: FastifyInstance,
  { origin, policy }: ConsoleParts,
  sessions: Sessions,
): void {
  const given = new Map<string, Given>();
  const count = limiter(attemptsMax);
  const cookie = {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure: origin.startsWith('https:'),
  } as const;

  server.get('/sign-in', (_, reply) => reply.type('text/html; charset=utf-8').send(page));

  server.post('/sign-in/challenge', async ({ ip }) => {
    count(ip);
    for (const [challenge, { at }] of given) if (isOver(at)) given.delete(challenge);
    if (given.size >= challengesMax) throw new Refusal(429, 'Too many sign-ins. Wait a minute.');
    const statement = canonicalJson({ console: origin, nonce: newToken() });
    const at = new Date().toISOString();
    const challenge = challengeOf(statement, 'signIn', at);
    given.set(challenge, { statement, at });
    // The browser offers the passkeys that it has.
    return { challenge, credentialIds: [] };
  });

  server.post('/sign-in', async (request, reply) => {
    count(request.ip);
    const { challenge, made } = readSent(body, request.body);
    const asked = given.get(challenge);
    // Once, whatever comes of it.
    given.delete(challenge);
    if (asked === undefined || isOver(asked.at)) {
      throw new Refusal(403, 'This sign-in was used before, or took too long. Try again.');
    }
    const signed = signedIn(asked, made);
    const token = sessions.begin(signed);
    reply.setCookie(cookieNameOf(origin), token, { ...cookie, maxAge: sessions.seconds });
    return { person: signed.person };
  });

  const signedIn = ({ statement, at }: Given, made: Touched) => {
    const { credentialId, ...answer } = made;
    const { signIn, people } = policy();
    const isOwn = (line: string) => readPasskey(line)?.credentialId === credentialId;
    const line = [...signIn.values()].flat().find(isOwn);
    if (line === undefined && [...people.values()].flat().some(isOwn)) {
      throw new Refusal(403, 'This passkey approves, and does not sign in. Take the other one.');
    }
    const { publicKey } = readPasskey(line ?? '') ?? {};
    if (line === undefined || publicKey === undefined) {
      throw new Refusal(403, 'Nobody in the policy has this passkey.');
    }
    const signature = assertionText({ at, publicKey, ...answer });
    try {
      const person = ownerOf(assertionOf({ statement, signature }, 'signIn'), signIn);
      return { person, passkey: line };
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      throw new Refusal(403, `This passkey does not sign in. ${error.message}`);
    }
  };

  server.post('/sign-out', (request, reply) => {
    const name = cookieNameOf(origin);
    sessions.end(request.cookies[name] ?? '');
    return reply.clearCookie(name, cookie).redirect('/sign-in', 303);
  });
}

function isOver(at: string): boolean {
  return Date.parse(at) < Date.now() - challengeMs;
}

const page = frame(
  { title: 'Sign in' },
  html`<p>Sign in with the passkey that you have made for this console.</p>
<p class="actions"><button class="main" data-action="signIn">Sign in with a passkey</button></p>
<p>Without one, ask whoever runs the console for an invitation.</p>`,
);
