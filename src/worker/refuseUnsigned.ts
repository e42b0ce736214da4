import { isMainNetwork } from '../custody/networks/demands';
import { ConfigError } from '../variables';
import type { Policy } from '../writer/file/policy';
import { unsignedFault } from '../writer/file/unsigned';

/** Refuses a policy that wants no signatures on a main network. */
export function refuseUnsigned(policy: Policy, blockchain: string): void {
  const fault = isMainNetwork(blockchain) ? unsignedFault(policy) : undefined;
  if (fault !== undefined) throw new ConfigError(`STEADFAST_POLICY_FILE: ${fault}`);
}
