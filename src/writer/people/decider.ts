import type { Decision, Signed } from '../../orders/input/signed';
import { NotUnderstood } from '../call/effects';
import type { Approval, Policy } from '../file/policy';
import type { DecisionMemory } from '../ledger/decision';
import { type Assertion, isAssertion, ownerOf } from '../signing/assertion';
import { SignatureError } from '../signing/sshSignature';
import { datedAheadMaxMs, personOf } from './requester';
import { verifiedAssertion } from './verified';

/** An approval by a passkey has to reach a writer so soon after its person was asked. */
const assertedMaxMs = 300_000;

/** The person behind a decision, and the assertion if a passkey has made it. */
export type Decider = { person: string; assertion?: Assertion };

/**
 * The person whose SSH key or passkey has made a decision. Throws NotUnderstood for a key of
 * nobody, and for a passkey that was used on another page than its own.
 */
export function deciderOf(policy: Policy, signed: Signed, purpose: Decision['purpose']): Decider {
  if (!isAssertion(signed)) return { person: personOf(policy, signed, purpose) };
  try {
    const assertion = verifiedAssertion(signed, purpose);
    return { person: ownerOf(assertion, policy.people), assertion };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new NotUnderstood(`The passkey of its ${purpose} cannot be used. ${error.message}`);
  }
}

/** The reason why a rule does not count a key of that kind. */
export function kindFault(rule: Approval, { person, assertion }: Decider): string | undefined {
  const kind = assertion === undefined ? 'ssh' : 'passkey';
  if (rule.with === undefined || rule.with === kind) return undefined;
  const [wanted, given] =
    rule.with === 'ssh' ? ['an SSH key', 'a passkey'] : ['a passkey', 'an SSH key'];
  return `the rule ${rule.id} wants ${wanted}, and ${person} has used ${given}`;
}

/**
 * The reason why an approval by a passkey comes too late, or too early. An approval in time is
 * remembered, so that it counts as long as the rule says.
 */
export async function ageFault(
  { person, assertion }: Decider,
  { memory, nowMs }: { memory: DecisionMemory; nowMs: number },
): Promise<string | undefined> {
  if (assertion === undefined || (await memory.hasAssertion(assertion))) return undefined;
  const { atMs } = assertion;
  const at = new Date(atMs).toISOString();
  if (atMs > nowMs + datedAheadMaxMs) return `the approval of ${person} is dated ahead, at ${at}`;
  if (atMs < nowMs - assertedMaxMs) {
    return `the approval of ${person} is of ${at}, and came later than five minutes after that`;
  }
  await memory.keepAssertion(assertion);
  return undefined;
}
