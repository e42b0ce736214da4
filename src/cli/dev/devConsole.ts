import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { passkeysOf } from '../../console/people';
import { usualNetwork } from '../../custody/networks/networks';
import { readPolicyFile } from '../../writer/file/readPolicy';
import { inviteHere } from '../console/inviteHere';
import { messageOf } from '../exit';
import { pc } from '../show/colors';
import { errorLine } from '../show/voice';

/** The preferred port, as of a console alone. */
const port = 4030;
/** The name of the person at this machine. */
const person = 'developer';

/** A rule about an address of nobody, since a policy has at least one. */
const watchers = `# People who may look at the console of this stack.
# No worker has this policy: orders need no signature and no approval.
# For a policy in force: npm run dev -- --policy FILE
version: 1
people: {}
rules:
  - { id: nobody, kind: deny, to: "0x000000000000000000000000000000000000dEaD" }
`;

/** The console of a stack on this machine, with what it says and keeps. */
export type DevConsole = {
  /** The part of the stack's options. */
  options: { port: number; env: Record<string, string> };
  /** Lines that say how to sign in. Passkeys made by their link enter the policy by themselves. */
  tell(origin: string, stopped: Promise<unknown>): Promise<string[]>;
};

/**
 * Prepares the console of a stack that keeps its state in a folder. Where the worker has a policy,
 * so has the console. Without one, a file of its own says who may look. Throws a PolicyError.
 */
export function devConsole(
  folder: string,
  { policy, say }: { policy?: string | undefined; say: (line: string) => void },
): DevConsole {
  const ownFile = join(folder, 'console.yaml');
  if (policy === undefined && !existsSync(ownFile)) {
    writeFileSync(ownFile, watchers, { mode: 0o600 });
  }
  const policyFile = resolve(policy ?? ownFile);
  const file = resolve(folder, 'console.db');
  readPolicyFile(policyFile, { blockchain: usualNetwork });
  const env = { STEADFAST_POLICY_FILE: policyFile, STEADFAST_CONSOLE_FILE: file };
  return {
    options: { port, env },
    tell: async (origin, stopped) => {
      if (policy !== undefined) return byCommand(env, origin);
      const { signIn } = readPolicyFile(policyFile, { blockchain: usualNetwork });
      if (passkeysOf(signIn, person, origin).length > 0) return [];
      const invited = await inviteHere({ policyFile, file, origin }, person, stopped);
      invited.entered.then(
        (digits) => digits && say(`${pc.green('✓')} ${person} is in ${ownFile}: sign in.`),
        (error) => say(errorLine(messageOf(error))),
      );
      return [
        '            Make your passkeys by this link within an hour, and sign in with them:',
        `            ${invited.link}`,
      ];
    },
  };
}

/** A policy of its user gets its people from its user. */
function byCommand(env: Record<string, string>, origin: string): string[] {
  const variables = { ...env, STEADFAST_CONSOLE_ORIGIN: origin };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [
    '            Invite people of the policy with:',
    `            ${words.join(' ')} npx --no-install steadfast console invite <person>`,
  ];
}
