import type { CustodyConfig } from '../config';
import { nodeFaults, readNode } from '../networks/nodeFaults';
import { ConfigError } from '../variables';

/** Refuses a node that is of another network. Orders wait for a node that is away. */
export async function refuseOtherNode(
  custody: Pick<CustodyConfig, 'chainRpcUrl' | 'blockchain'> | undefined,
): Promise<void> {
  if (custody?.chainRpcUrl === undefined) return;
  const { chainRpcUrl, blockchain } = custody;
  const facts = await readNode(chainRpcUrl, blockchain).catch(() => undefined);
  const faults = facts === undefined ? [] : nodeFaults(blockchain, facts);
  if (faults.length > 0) throw new ConfigError(faults.join(' '));
}
