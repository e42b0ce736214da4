import { z } from 'zod';
import type { Decision, Signed } from '../../orders/input/signed';
import { assertionOf, assertionText, challengeOf, ownerOf } from '../../writer/signing/assertion';
import { SignatureError } from '../../writer/signing/sshSignature';
import { textOf } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { passkeysOf } from '../people';
import { Refusal } from '../refusal';
import { touched } from '../signIn/signIn';
import type { Question } from './questions';

/** A decision as the script of a page sends it. */
export const decision = z.strictObject({
  target: z.string().min(1).max(1_000),
  /** The digest of what the page has shown. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  purpose: z.enum(['approval', 'rejection']),
  reason: z.string().max(1_000).default(''),
  /** The moment of the challenge, and the end of what was signed. */
  at: z.iso.datetime(),
  expires: z.iso.datetime(),
  made: touched,
});

type Deciding = { purpose: Decision['purpose']; person: string; question: Question };

/**
 * The reason why a person cannot decide about a question with a passkey. Undefined where they can.
 * It is a word ahead of time: the worker that signs decides.
 */
export function unable(
  { policy, origin }: Pick<ConsoleParts, 'policy' | 'origin'>,
  person: string,
  { wanted: { people, rule: id } }: Question,
): string | undefined {
  const { people: keys, approvals } = policy();
  if (!people.includes(person)) return `The rule ${id} does not ask ${person}.`;
  const rule = approvals.find((one) => one.id === id);
  if (rule?.with === 'ssh') return `The rule ${id} wants an SSH key.`;
  if (passkeysOf(keys, person, origin).length > 0) return undefined;
  return `The policy has no passkey of ${person} for this console.`;
}

/** The challenge of a decision, and the passkeys that may answer. */
export function challengeFor(
  parts: ConsoleParts,
  { purpose, person, question }: Deciding,
): { challenge: string; at: string; expires: string; credentialIds: string[] } {
  const why = unable(parts, person, question);
  if (why !== undefined) throw new Refusal(403, why);
  const at = new Date().toISOString();
  const { people } = parts.policy();
  return {
    at,
    expires: question.statement.expires,
    challenge: challengeOf(question.wanted.statement, purpose, at),
    credentialIds: passkeysOf(people, person, parts.origin).map((one) => one.credentialId),
  };
}

/**
 * The signed decision of a person. It is verified here only to say at once what is wrong with it.
 * Throws a Refusal.
 */
export function decisionOf(
  { policy, origin }: ConsoleParts,
  { purpose, person, question, at, expires, made }: Deciding & z.output<typeof decision>,
): Signed {
  const { credentialId, ...answer } = made;
  const { people } = policy();
  const passkey = passkeysOf(people, person, origin).find(
    (one) => one.credentialId === credentialId,
  );
  if (passkey === undefined)
    throw new Refusal(403, `This is no passkey of ${person} that decides.`);
  // The order may have asked again since, with a later end.
  const statement = textOf({ ...question.statement, expires });
  const signature = assertionText({ at, publicKey: passkey.publicKey, ...answer });
  try {
    ownerOf(assertionOf({ statement, signature }, purpose), people);
    return { statement, signature };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new Refusal(403, `Your passkey's answer cannot be used. ${error.message} Try again.`);
  }
}
