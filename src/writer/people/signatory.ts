import type { Signed } from '../../orders/input/signed';
import { NotUnderstood } from '../call/effects';
import type { Approval, Policy } from '../file/policy';
import type { DecisionMemory } from '../ledger/decision';
import { isAssertion, ownerOf } from '../signing/assertion';
import type { Signature } from '../signing/signatureOf';
import { SignatureError } from '../signing/sshSignature';
import type { Purpose } from '../signing/statement';
import { verifiedSignature } from './verified';

/** The clock of a signer may be ahead by so much. */
export const datedAheadMaxMs = 5_000;

/** An assertion of a passkey has to reach a writer so soon after its person was asked. */
const assertedMaxMs = 300_000;

/** The person behind a signature, and the key or the passkey that has made it. */
export type Signatory = Signature & { person: string };

/**
 * The person whose SSH key or passkey has made a signature. Throws NotUnderstood for a key of
 * nobody, and for a signature of another text or purpose. A passkey counts on its own page alone.
 */
export function signatoryOf(policy: Policy, signed: Signed, purpose: Purpose): Signatory {
  try {
    const signature = verifiedSignature(signed, purpose);
    const { publicKey, assertion } = signature;
    if (assertion !== undefined) return { ...signature, person: ownerOf(assertion, policy.people) };
    for (const person of policy.people.keys()) {
      if (keysOf(policy, person).includes(publicKey)) return { ...signature, person };
    }
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    const what = isAssertion(signed) ? 'passkey' : 'signature';
    throw new NotUnderstood(`The ${what} of its ${purpose} cannot be used. ${error.message}`);
  }
  throw new NotUnderstood(`Its ${purpose} is signed with a key of nobody in the policy.`);
}

/** The keys and passkeys of a person, without their kind and comment. */
export function keysOf({ people }: Policy, person: string): string[] {
  return (people.get(person) ?? []).map((line) => line.split(' ')[1] ?? '');
}

/** The reason why a rule does not count a key of that kind. */
export function kindFault(rule: Approval, { person, assertion }: Signatory): string | undefined {
  const kind = assertion === undefined ? 'ssh' : 'passkey';
  if (rule.with === undefined || rule.with === kind) return undefined;
  const [wanted, given] =
    rule.with === 'ssh' ? ['an SSH key', 'a passkey'] : ['a passkey', 'an SSH key'];
  return `the rule ${rule.id} wants ${wanted}, and ${person} has used ${given}`;
}

/**
 * The reason why an approval or a request by a passkey comes too late, or too early. If it comes in
 * time, it is remembered, so that it counts for as long as the rule or the request says.
 */
export async function ageFault(
  { person, assertion }: Signatory,
  { memory, nowMs, purpose }: { memory: DecisionMemory; nowMs: number; purpose: Purpose },
): Promise<string | undefined> {
  if (assertion === undefined || (await memory.hasAssertion(assertion))) return undefined;
  const { atMs } = assertion;
  const at = new Date(atMs).toISOString();
  const signed = `the ${purpose} of ${person}`;
  if (atMs > nowMs + datedAheadMaxMs) return `${signed} is dated ahead, at ${at}`;
  if (atMs < nowMs - assertedMaxMs) {
    return `${signed} is of ${at}, and came later than five minutes after that`;
  }
  await memory.keepAssertion(assertion);
  return undefined;
}
