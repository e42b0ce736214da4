import type { Policy } from '../writer/file/policy';
import { readPolicyFile } from '../writer/file/readPolicy';
import { type Passkey, readPasskey } from '../writer/signing/passkey';
import { fileNow } from './fileNow';

/** The part of a person in the policy. Everybody who signs in may look. */
export type Roles = { isApprover: boolean; isRequester: boolean };

/**
 * The policy of now. It is read again whenever its file changes, so that whoever left is out at
 * once. While the file has a fault, nobody is let in.
 */
export function policyReader(path: string, blockchain: string): () => Policy {
  return fileNow(path, 'policy', () => readPolicyFile(path, { blockchain }));
}

/** The part of a person: approvers are in the group of an approval, requesters sign orders. */
export function rolesOf({ approvals, limits, groups }: Policy, person: string): Roles {
  const isIn = (group: string | undefined) => groups.get(group ?? '')?.includes(person) === true;
  return {
    isApprover: approvals.some(({ of }) => isIn(of)),
    isRequester: limits.some(({ signedBy }) => isIn(signedBy)),
  };
}

/** The passkeys of a person that were made at an address. */
export function passkeysOf(
  people: ReadonlyMap<string, readonly string[]>,
  person: string,
  origin: string,
): Passkey[] {
  const read = (people.get(person) ?? []).flatMap((line) => readPasskey(line) ?? []);
  return read.filter((passkey) => passkey.origin === origin);
}
