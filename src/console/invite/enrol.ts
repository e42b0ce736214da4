import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { passkeyOrigin } from '../../writer/signing/assertion';
import { passkeyLine, readPasskey } from '../../writer/signing/passkey';
import { SignatureError } from '../../writer/signing/sshSignature';
import { limiter } from '../limit';
import { frame, moment } from '../page/frame';
import { html } from '../page/html';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { tokenDigest } from '../signIn/sessions';
import { digitsOf } from './digits';
import type { Invitation } from './invitations';

const attemptsMax = 30;

const passkey = z.strictObject({
  credentialId: z.base64url().max(2_000),
  publicKey: z.base64().max(1_000),
  authenticatorData: z.base64url(),
  clientDataJSON: z.base64url(),
});
const body = z.strictObject({ signIn: passkey, approval: passkey });

/** The two passkeys of a person. The browser finds the first one by itself. */
const uses = [
  { field: 'signIn', use: 'signs in', isFound: true },
  { field: 'approval', use: 'approves', isFound: false },
] as const;

/** Adds the page behind the link of an invitation. Nothing is used up before passkeys are made. */
export function enrolPages(
  server: FastifyInstance,
  { origin, invitations }: Pick<ConsoleParts, 'origin' | 'invitations'>,
): void {
  const count = limiter(attemptsMax);
  const invited = async (request: FastifyRequest) => {
    count(request.ip);
    const { token } = readSent(z.object({ token: z.string().max(100) }), request.params);
    const invitation = await invitations.find(token);
    refuseOver(invitation);
    return { token, ...invitation };
  };

  server.get('/enrol/:token', async (request, reply) => {
    const { token, person, untilMs } = await invited(request);
    const asked = uses.map(({ field, use, isFound }) => {
      return { use, isFound, challenge: challengeFor(token, field) };
    });
    const until = moment(new Date(untilMs).toISOString());
    const text = frame(
      { title: `Passkeys of ${person}` },
      html`<p>You are asked for two passkeys: one that signs in here, and one that requests and
approves payments. Both stay on your device. This link works once, until ${until}.</p>
<p class="actions"><button class="main" data-action="enrol" data-person="${person}"
 data-path="/enrol/${token}" data-asked="${JSON.stringify(asked)}">Make both passkeys</button></p>`,
    );
    return reply.type('text/html; charset=utf-8').send(text);
  });

  server.post('/enrol/:token', async (request) => {
    const { token } = await invited(request);
    const given = readSent(body, request.body);
    const lineOf = (field: (typeof uses)[number]['field']): string =>
      lineIn(given[field], challengeFor(token, field), origin);
    const made = { signIn: lineOf('signIn'), approval: lineOf('approval') };
    if (given.signIn.publicKey === given.approval.publicKey) {
      throw new Refusal(400, 'Both passkeys are one. Make two.');
    }
    if (!(await invitations.use(token, made))) refuseOver(await invitations.find(token));
    return { digits: digitsOf(made) };
  });
}

function refuseOver(invitation: Invitation | undefined): asserts invitation is Invitation {
  if (invitation?.made === undefined && (invitation?.untilMs ?? 0) > Date.now()) return;
  throw new Refusal(403, 'This invitation was used, is over, or never was. Ask for another one.');
}

/** Each link has challenges of its own, so that no passkey of another link counts. */
function challengeFor(token: string, field: string): string {
  return tokenDigest(`steadfast-enrolment ${field} ${token}`);
}

/** The line of a passkey that was just made on this console. */
function lineIn(made: z.output<typeof passkey>, challenge: string, origin: string): string {
  try {
    const page = passkeyOrigin(made, { type: 'webauthn.create', challenge });
    if (page !== origin) throw new SignatureError(`It is for ${page}.`);
    const line = passkeyLine({ ...made, origin });
    if (readPasskey(line) !== undefined) return line;
    throw new SignatureError('Its key is neither P-256 nor RSA.');
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new Refusal(400, `This passkey cannot be used. ${error.message}`);
  }
}
