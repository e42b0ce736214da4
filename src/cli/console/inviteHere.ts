import { digitsOf } from '../../console/invite/digits';
import { openInvitations } from '../../console/invite/invitations';
import { enterPolicy } from './enterPolicy';
import { passkeysMade } from './passkeysMade';

/** A console of this machine: its policy, the file of its invitations, and its address. */
type OwnConsole = { policyFile: string; file: string; origin: string };

/** A link to make passkeys by, and the digits of those that have entered the policy. */
export type OwnInvitation = { link: string; entered: Promise<string | undefined> };

/**
 * Invites a person to a console whose policy is a toy of this machine. The passkeys enter that
 * policy by themselves, since nobody else owns it. Elsewhere its owner compares the digits first.
 */
export async function inviteHere(
  { policyFile, file, origin }: OwnConsole,
  person: string,
  stopped: Promise<unknown>,
): Promise<OwnInvitation> {
  const invitations = openInvitations(file);
  const { token } = await invitations.invite(person);
  const entering = async (): Promise<string | undefined> => {
    try {
      const made = await passkeysMade(invitations, token, stopped);
      if (made === undefined) return undefined;
      enterPolicy(policyFile, person, made);
      return digitsOf(made);
    } finally {
      await invitations.close();
    }
  };
  return { link: `${origin}/enrol/${token}`, entered: entering() };
}
