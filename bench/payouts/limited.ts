import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sshSigner } from '../../src/writer/signing/sign';
import type { Contender } from './contender';
import { blockchain } from './service/tokens';
import type { Payer } from './startService';
import { steadfastWith } from './steadfast';

/** As many addresses as a list of sanctions has. None of them is paid. */
const listed = 1_000;

/**
 * Steadfast whose worker keeps to a policy: the payout is signed, each line is proven to be in it,
 * screened, and counted in a window. The ledger is a file.
 */
export const limited: Contender = {
  ...steadfastWith(),
  name: 'Steadfast with a policy',
  enter: async (service, payers) => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-policy-'));
    const key = join(folder, 'backend');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'backend', '-f', key]);
    writeFileSync(join(folder, 'list.txt'), addresses());
    const policy = policyFor(payers, readFileSync(`${key}.pub`, 'utf8').trim());
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
    const { appId: entity } = await service.custody.getEntityConfig({});
    const { enter } = steadfastWith({
      signing: { sign: sshSigner(key), entity, blockchain },
      env: {
        STEADFAST_POLICY_FILE: join(folder, 'policy.json'),
        STEADFAST_LEDGER: `file:${join(folder, 'ledger.db')}`,
      },
    });
    const field = await enter(service, payers);
    return {
      race: field.race,
      leave: async () => {
        await field.leave();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

function addresses(): string {
  return Array.from({ length: listed }, () => `0x${randomBytes(20).toString('hex')}`).join('\n');
}

function policyFor(payers: readonly Payer[], key: string): object {
  const paying = { orders: ['payout'], wallets: payers.map(({ id }) => id), tokens: ['USDC'] };
  const perWindow = { amount: '1000000', hours: 24, over: 'rule' };
  return {
    version: 1,
    people: { backend: { keys: [key] } },
    groups: { backends: ['backend'] },
    rules: [
      { id: 'out', kind: 'limit', ...paying, to: 'anyone', perWindow, signedBy: 'backends' },
      { id: 'sanctions', kind: 'screen', by: { list: 'list.txt', hours: 48 } },
    ],
  };
}
