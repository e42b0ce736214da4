import type { CustodyApi } from '../../custody/endpoints';
import { isMainNetwork } from '../../custody/networks/demands';
import { broken, fine, type HealthFinding, misconfigured } from '../../health/finding';
import type { AuthorityConfig } from '../../worker/workerConfig';
import { otherAccountFault } from '../../writer/file/otherAccount';
import type { Policy } from '../../writer/file/policy';
import { readPolicyFile } from '../../writer/file/readPolicy';
import { unsignedFault } from '../../writer/file/unsigned';
import { ledgerAt } from '../../writer/ledger/ledgerAt';
import { listFaults } from '../../writer/screen/listFaults';
import { messageOf } from '../exit';

type Place = Pick<AuthorityConfig, 'policyPath' | 'ledgerPlace'>;

/**
 * Checks that the policy can be read, that no other one is in force, and that its lists can be
 * used. With a service, that it has wallets of the policy. With any of these faults, writers send
 * nothing. Puts nothing in force, and makes no ledger.
 */
export async function checkPolicy(
  place: Place,
  blockchain: string,
  api?: Pick<CustodyApi, 'getWallet'>,
): Promise<HealthFinding[]> {
  const { policyPath } = place;
  try {
    const policy = readPolicyFile(policyPath, { blockchain });
    const lists = (await listFaults(policy.screens)).map(({ id, words }) =>
      broken(`Screen ${id}`, words, 'Until then, no payment is sent.'),
    );
    const unfit = [
      ...(isMainNetwork(blockchain) ? [unsignedFault(policy)] : []),
      await (api && otherAccountFault(api, policy).catch(() => undefined)),
    ].flatMap((fault) => fault ?? []);
    const faults = unfit.map((fault) =>
      misconfigured('Policy', fault.replace(/\.$/, ''), 'Until then, no writer starts.'),
    );
    return [await checkForce(policy, place), ...faults, ...lists];
  } catch (error) {
    return [misconfigured('Policy', messageOf(error), 'Until then, no payment is sent.')];
  }
}

async function checkForce(
  policy: Policy,
  { policyPath, ledgerPlace }: Place,
): Promise<HealthFinding> {
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
