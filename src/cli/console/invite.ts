import { readConsoleConfig } from '../../console/config';
import { digitsOf } from '../../console/invite/digits';
import { type Made, openInvitations } from '../../console/invite/invitations';
import { shown } from '../../orders/input/shown';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { tellMoment } from '../show/tellTime';
import { passkeysMade } from './passkeysMade';

const plainName = /^[A-Za-z0-9][\w.-]{0,62}$/;

/** Invites a person to the console, and prints the line that the policy's owner adds. */
export async function invite(
  person: string,
  { flags, terminal, voice, interruption }: Call,
): Promise<ExitCode> {
  if (!plainName.test(person)) {
    throw new InputError(`person: ${shown(person)} is no plain name, as a policy has them.`);
  }
  const { file, origin } = readConsoleConfig(terminal.env);
  const invitations = openInvitations(file);
  try {
    const { token, untilMs } = await invitations.invite(person);
    const link = `${origin}/enrol/${token}`;
    const until = new Date(untilMs).toISOString();
    voice.note(`Give this link to ${person}. It works once, until ${tellMoment(until)}:`);
    voice.say(link);
    if (flags.wait === false) {
      voice.document({ person, link, until });
      return exitCodes.done;
    }
    voice.note(`Waiting for ${person} to make their passkeys.`);
    const interrupted = interruption();
    interrupted.after(untilMs - Date.now());
    const made = await passkeysMade(invitations, token, interrupted.stopped);
    if (made !== undefined) return tell(person, made, { voice, link });
    voice.note('Nobody has used the link yet. Invite again once somebody is there.');
    return exitCodes.stoppedWaiting;
  } finally {
    await invitations.close();
  }
}

function tell(
  person: string,
  made: Made,
  { voice, link }: Pick<Call, 'voice'> & { link: string },
): ExitCode {
  const { signIn, approval } = made;
  const digits = digitsOf(made);
  voice.note(`${person} has made both. Have ${person} read you these digits: ${digits}`);
  voice.note('If they are the same, add this to the people of the policy, and raise its version:');
  voice.document({ person, link, digits, signIn, approval });
  voice.say(`  ${person}:`);
  voice.say(`    keys: ["${approval}"]`);
  voice.say(`    signIn: ["${signIn}"]`);
  return exitCodes.done;
}
