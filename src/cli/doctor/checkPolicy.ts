import type { AuthorityConfig } from '../../worker/workerConfig';
import type { Policy } from '../../writer/file/policy';
import { readPolicyFile } from '../../writer/file/readPolicy';
import { ledgerAt } from '../../writer/ledger/ledgerAt';
import { listFaults } from '../../writer/screen/listFaults';
import { messageOf } from '../exit';
import { broken, type Finding, fine, misconfigured } from './finding';

type Place = Pick<AuthorityConfig, 'policyPath' | 'ledgerPlace'>;

/**
 * Checks that the policy can be read, that no other one is in force, and that its lists can be
 * used. With any of these faults, writers send nothing. Puts nothing in force, and makes no ledger.
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
  const absent = `${own}: its ledger begins with the first writer`;
  try {
    const ledger = await ledgerAt(ledgerPlace, { absent });
    const fault = await ledger.policyFault(policy).finally(() => ledger.close());
    if (fault === undefined) return fine('Policy', `${own}: no newer one is in force`);
    return broken('Policy', `${own}: ${fault}`, 'Until then, this writer sends nothing.');
  } catch (error) {
    const words = messageOf(error);
    if (words === absent) return fine('Policy', absent);
    return broken('Ledger', words, 'A writer sends nothing while it cannot use its ledger.');
  }
}
