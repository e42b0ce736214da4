import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The person who asks for payments. */
export const requester = 'kim';
/** The people who approve them. */
export const approvers = ['ann', 'bo'] as const;
/** A machine asks for payments, too. */
const people = ['payroll', requester, ...approvers] as const;

/** Stands in the policy until the office has a wallet. */
const nobodysWallet = '00000000-0000-4000-8000-000000000000';

/** The files of the office's rules and keys. */
export type Rules = {
  policyFile: string;
  /** The private key of the machine. */
  signKey: string;
  /** Writes the rules for the wallet that the office has now. */
  allow(walletId: string): void;
};

/**
 * Makes the keys and the policy of an office in a folder. Everybody gets an SSH key, since an
 * approval needs people who could give it. Passkeys come beside those.
 */
export function makeRules(folder: string): Rules {
  const policyFile = join(folder, 'policy.yaml');
  const signKey = join(folder, 'payroll');
  for (const person of people) makeKey(join(folder, person), person);
  const lines = people.map((person) => {
    const key = readFileSync(join(folder, `${person}.pub`), 'utf8').trim();
    return `  ${person}: { keys: ["${key}"] }`;
  });
  const write = (version: number, walletId: string): void => {
    writeFileSync(policyFile, policyText({ version, walletId, lines }), { mode: 0o600 });
  };
  write(1, nobodysWallet);
  return { policyFile, signKey, allow: (walletId) => write(2, walletId) };
}

function makeKey(path: string, comment: string): void {
  try {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', path]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`ssh-keygen cannot make a key for ${comment}: ${why}. Install OpenSSH.`);
  }
}

type PolicyOf = { version: number; walletId: string; lines: readonly string[] };

function policyText({ version, walletId, lines }: PolicyOf): string {
  return `# The policy of this demo. The demo adds the passkeys of its people by itself.
version: ${version}
people:
${lines.join('\n')}
groups:
  requesters: [payroll, ${requester}]
  approvers: [${approvers.join(', ')}]
rules:
  - id: salaries
    kind: limit
    orders: [payout, transferStablecoin]
    wallets: ["${walletId}"]
    tokens: [USDC]
    to: anyone
    perTransfer: "20"
    perWindow: { amount: "200", hours: 24, over: wallet }
    signedBy: requesters
  - { id: two-people, kind: approval, above: "50", need: 2, of: approvers, within: 48, with: any }
`;
}
