import { z } from 'zod';
import type { Decision, Signed } from '../../orders/input/signed';
import { textOf } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { passkeysOf } from '../people';
import { Refusal } from '../refusal';
import { type Challenge, challengeTo, signedBy, touched } from '../touched';
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
  const { people: keys, approvals, groups } = policy();
  const rule = approvals.find((one) => one.id === id);
  if (!people.includes(person)) {
    // Everybody of its group is asked, but for whoever has requested the order.
    if (groups.get(rule?.of ?? '')?.includes(person) !== true) {
      return `The rule ${id} does not ask ${person}.`;
    }
    return `${person} has requested it, and whoever requests an order never approves it.`;
  }
  if (rule?.with === 'ssh') return `The rule ${id} wants an SSH key.`;
  if (passkeysOf(keys, person, origin).length > 0) return undefined;
  return `The policy has no passkey of ${person} for this console.`;
}

/** The challenge of a decision, the end of what is signed, and the passkeys that may answer. */
export function challengeFor(
  parts: ConsoleParts,
  { purpose, person, question }: Deciding,
): Challenge & { expires: string } {
  const why = unable(parts, person, question);
  if (why !== undefined) throw new Refusal(403, why);
  const { statement } = question.wanted;
  const { expires } = question.statement;
  return { ...challengeTo(parts, { person, purpose, statement }), expires };
}

/** The signed decision of a person. Throws a Refusal. */
export function decisionOf(
  parts: ConsoleParts,
  { purpose, person, question, at, expires, made }: Deciding & z.output<typeof decision>,
): Signed {
  // The order may have asked again since, with a later end.
  const statement = textOf({ ...question.statement, expires });
  return signedBy(parts, { person, purpose, statement, at, made });
}
