import { z } from 'zod';
import { factsIn } from '../../client/asking/facts';
import type { Decision, Signed } from '../../orders/input/signed';
import { aheadMaxMs } from '../../writer/clock';
import type { Policy } from '../../writer/file/policy';
import { textOf } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';
import { passkeysOf, rolesOf } from '../people';
import { Refusal } from '../refusal';
import { type Challenge, challengeTo, signedBy, touched } from '../touched';
import type { Question } from './questions';

const hourMs = 3_600_000;

/** The question that a person decides on, as the script of a page names it. */
export const decidedOn = z.strictObject({
  target: z.string().min(1).max(1_000),
  /** The digest of what the page has shown. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  purpose: z.enum(['approval', 'rejection']),
});

/** A decision as the script of a page sends it. */
export const decision = z
  .strictObject({
    ...decidedOn.shape,
    /** The order shows the reason of a rejection. An approval has none. */
    reason: z.string().trim().max(1_000).default(''),
    /** The moment of the challenge, and the end of what was signed. */
    at: z.iso.datetime(),
    expires: z.iso.datetime(),
    made: touched,
  })
  .refine(({ purpose, reason }) => purpose === 'approval' || reason !== '', {
    path: ['reason'],
    error: 'is missing. Give the reason why you reject it',
  });

type Deciding = { purpose: Decision['purpose']; person: string; question: Question };

/**
 * The reason why the policy of now does not ask a person, or undefined where it does. It is a word
 * ahead of time: the worker that signs decides.
 */
export function notAsked(
  policy: Policy,
  person: string,
  { people, rule: id }: Question['wanted'],
): string | undefined {
  const rule = policy.approvals.find((one) => one.id === id);
  if (rule === undefined) {
    return `The policy has no rule ${id} any more. Load the page again once the order asks again.`;
  }
  const { of } = rule;
  if (policy.groups.get(of)?.includes(person) !== true)
    return `The rule ${id} does not ask ${person}.`;
  // The order asks all of the group but its requester. A person who requests nothing came in later.
  if (people.includes(person) || !rolesOf(policy, person).isRequester) {
    return undefined;
  }
  return (
    `The order asks ${people.join(', ')}, and not ${person}. Nobody approves an order that ` +
    `they request. If ${person} came into ${of} since, wait until the order asks again.`
  );
}

/**
 * The reason why a person cannot decide with a passkey. Undefined where they can. Nobody signs what
 * the page does not show.
 */
export function unable(
  { policy, origin }: Pick<ConsoleParts, 'policy' | 'origin'>,
  person: string,
  { wanted, statement }: Question,
): string | undefined {
  const now = policy();
  const why = notAsked(now, person, wanted);
  if (why !== undefined) return why;
  const { rule: id } = wanted;
  if (now.approvals.find((one) => one.id === id)?.with === 'ssh') {
    return `The rule ${id} wants an SSH key.`;
  }
  if (factsIn(statement.money).isCut) return 'The order has more fields than this page shows.';
  if (passkeysOf(now.people, person, origin).length > 0) return undefined;
  return `The policy has no passkey of ${person} for this console.`;
}

/** The challenge of a decision, the end of what is signed, and the passkeys that may answer. */
export function challengeFor(
  parts: ConsoleParts,
  { purpose, person, question }: Deciding,
): Challenge & { expires: string } {
  refuseUnable(parts, { purpose, person, question });
  const { statement } = question.wanted;
  const { expires } = question.statement;
  return { ...challengeTo(parts, { person, purpose, statement }), expires };
}

/** The signed decision of a person. Throws a Refusal. */
export function decisionOf(
  parts: ConsoleParts,
  { purpose, person, question, at, expires, made }: Deciding & z.output<typeof decision>,
): Signed {
  refuseUnable(parts, { purpose, person, question });
  if (Date.parse(expires) > Date.parse(question.statement.expires)) {
    throw new Refusal(
      409,
      `expires: ${expires} is later than the order asks. Load the page again.`,
    );
  }
  // The order may have asked again since, with a later end.
  const statement = textOf({ ...question.statement, expires });
  return signedBy(parts, { person, purpose, statement, at, made });
}

function refuseUnable(parts: ConsoleParts, { purpose, person, question }: Deciding): void {
  const why = unable(parts, person, question);
  if (why !== undefined) throw new Refusal(403, why);
  refuseLong(parts, question);
  // An order keeps few signatures, and another one of the same person changes nothing.
  if (purpose === 'approval' && question.wanted.given.includes(person)) {
    throw new Refusal(409, `${person} has approved it before, and counts once.`);
  }
}

/** Refuses an end that the rule does not allow. A page may have shown an earlier one. */
function refuseLong({ policy }: Pick<ConsoleParts, 'policy'>, question: Question): void {
  const { rule: id } = question.wanted;
  const { expires } = question.statement;
  const { within = 0 } = policy().approvals.find((one) => one.id === id) ?? {};
  if (Date.parse(expires) <= Date.now() + within * hourMs + aheadMaxMs) return;
  throw new Refusal(
    409,
    `expires: ${expires} is more than ${within} hours away, which are all that the rule ${id} ` +
      'allows. Load the page again once the order asks again.',
  );
}
