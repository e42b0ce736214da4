import { nodeFaults, readNode, refuseOtherChainId } from '../chain/nodeFaults';
import { lookBeforeReading } from '../chain/readChain';
import type { CustodyConfig } from '../config';
import { ConfigError } from '../variables';

/**
 * Refuses a node that is of another network. Orders wait for a node that is away. Its chain is
 * looked at once it is back.
 */
export async function refuseOtherNode(
  custody: Pick<CustodyConfig, 'chainRpcUrl' | 'blockchain'> | undefined,
): Promise<void> {
  if (custody?.chainRpcUrl === undefined) return;
  const { chainRpcUrl, blockchain } = custody;
  const facts = await readNode(chainRpcUrl, blockchain).catch(() => undefined);
  if (facts === undefined) {
    lookBeforeReading(chainRpcUrl, (chain) => refuseOtherChainId(chain, blockchain));
  }
  const faults = facts === undefined ? [] : nodeFaults(blockchain, facts);
  if (faults.length > 0) throw new ConfigError(faults.join(' '));
}
