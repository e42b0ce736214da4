import { setTimeout as sleep } from 'node:timers/promises';
import type { Invitations, Made } from '../../console/invite/invitations';

const lookEveryMs = 500;

/** Waits for the passkeys of an invitation. Undefined if `stopped` comes first. */
export async function passkeysMade(
  invitations: Pick<Invitations, 'find'>,
  token: string,
  stopped: Promise<unknown>,
): Promise<Made | undefined> {
  const ended = stopped.then(() => 'stopped' as const);
  for (;;) {
    const found = await invitations.find(token);
    if (found?.made !== undefined) return found.made;
    if ((await Promise.race([ended, sleep(lookEveryMs)])) === 'stopped') return undefined;
  }
}
