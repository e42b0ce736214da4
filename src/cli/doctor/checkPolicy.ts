import { existsSync } from 'node:fs';
import type { Policy } from '../../policy/file/policy';
import { readPolicyFile } from '../../policy/file/readPolicy';
import { ledgerAt } from '../../policy/ledger/ledgerAt';
import { listFaults } from '../../policy/screen/listFaults';
import { isPostgres } from '../../store/place';
import type { AuthorityConfig } from '../../worker/workerConfig';
import { messageOf } from '../exit';
import { broken, type Finding, fine, misconfigured } from './finding';

type Place = Pick<AuthorityConfig, 'policyPath' | 'ledgerPlace'>;

/**
 * Checks that the policy can be read, that no other one is in force, and that its lists can be
 * used. With any of these faults, writers send nothing.
 */
export async function checkPolicy(place: Place, blockchain: string): Promise<Finding[]> {
  const { policyPath } = place;
  try {
    const policy = readPolicyFile(policyPath, { blockchain });
    const lists = (await listFaults(policy.screens)).map(({ id, words }) =>
      broken(`Screen ${id}`, words, 'Until then, no payment is sent.'),
    );
    return [await checkForce(policy, place), ...lists];
  } catch (error) {
    return [misconfigured('Policy', messageOf(error), 'Until then, no payment is sent.')];
  }
}

async function checkForce(policy: Policy, { policyPath, ledgerPlace }: Place): Promise<Finding> {
  const own = `${policyPath}, version ${policy.version}`;
  if (!isPostgres(ledgerPlace) && !existsSync(ledgerPlace)) {
    return fine('Policy', `${own}: its ledger begins with the first writer`);
  }
  const ledger = await ledgerAt(ledgerPlace);
  try {
    const fault = await ledger.policyFault(policy);
    if (fault === undefined) return fine('Policy', `${own}: no newer one is in force`);
    return broken('Policy', `${own}: ${fault}`, 'Until then, this writer sends nothing.');
  } finally {
    await ledger.close();
  }
}
