import { log } from '../log';
import type { Policy } from '../writer/file/policy';
import { readPolicyFile } from '../writer/file/readPolicy';
import { readWhenChanged } from '../writer/file/readWhenChanged';
import { type Passkey, readPasskey } from '../writer/signing/passkey';
import { Refusal } from './refusal';

/** The part of a person in the policy. Everybody who signs in may look. */
export type Roles = { isApprover: boolean; isRequester: boolean };

/**
 * The policy of now. It is read again whenever its file changes, so that whoever left is out at
 * once. While the file has a fault, nobody is let in.
 */
export function policyReader(path: string, blockchain: string): () => Policy {
  const now = readWhenChanged(path, () => readPolicyFile(path, { blockchain }));
  // Strangers ask too: they are told no word of the file, and fill no log.
  let logged = '';
  return () => {
    try {
      return now();
    } catch (error) {
      const why = String(error);
      if (why !== logged) log.error(error, 'The console cannot use its policy.');
      logged = why;
      throw new Refusal(503, 'The policy cannot be used now. The log of the console says why.');
    }
  };
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
