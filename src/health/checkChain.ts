import { nodeFaults, readNode } from '../chain/nodeFaults';
import { networks } from '../custody/networks/networks';
import { broken, fine, firstLine, type HealthFinding, misconfigured } from './finding';

/** Checks that the RPC answers, for the network of the service, with its tokens and its fees. */
export async function checkChain(rpcUrl: string, blockchain: string): Promise<HealthFinding> {
  // Node providers put keys into this address, so no message repeats it.
  if (!URL.canParse(rpcUrl) || !/^https?:$/.test(new URL(rpcUrl).protocol)) {
    return misconfigured(
      'Chain',
      'CHAIN_RPC_URL is not a URL of http or https',
      'Set it to the JSON-RPC address of a node, or unset it to do without.',
    );
  }
  try {
    const facts = await readNode(rpcUrl, blockchain);
    const faults = nodeFaults(blockchain, facts);
    if (faults.length === 0) {
      const tokens = [...facts.decimals.keys()].join(', ');
      return fine('Chain', `id ${facts.chainId} answers, with ${tokens} as ${blockchain} has them`);
    }
    const words = faults.join(' ').replace(/\.$/, '');
    return misconfigured(
      'Chain',
      words,
      `Set CHAIN_RPC_URL to an RPC of ${blockchain}${publicOf(blockchain)}.`,
    );
  } catch (error) {
    const isMain = networks[blockchain]?.isMain === true;
    return broken(
      'Chain',
      `CHAIN_RPC_URL gives no usable answer: ${firstLine(error)}`,
      `Check the address and whether the node is up.${isMain ? '' : ' It is optional: unset it to do without.'}`,
    );
  }
}

/** The network's public node, as an example. */
function publicOf(blockchain: string): string {
  const [url] = networks[blockchain]?.publicNode.urls ?? [];
  return url === undefined ? '' : `, such as ${url}`;
}
