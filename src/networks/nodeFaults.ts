import { erc20Abi, formatGwei, getAddress, type PublicClient } from 'viem';
import { readChain, revertOf } from '../chain/readChain';
import { networks } from './networks';

/** The facts of a node's chain that the table of networks tells as well. */
export type NodeFacts = {
  chainId: number;
  /** In wei. Undefined where its blocks have none. */
  baseFee: bigint | undefined;
  /** Decimals by symbol. Undefined where no token is at the address. */
  decimals: ReadonlyMap<string, number | undefined>;
};

/** Asks a node about the network that it should be of. Throws where it does not answer. */
export async function readNode(rpcUrl: string, blockchain: string): Promise<NodeFacts> {
  return readChain(rpcUrl, async (chain) => {
    const chainId = await chain.getChainId();
    // A node of another chain knows nothing of these tokens.
    if (chainId !== networks[blockchain]?.chainId) {
      return { chainId, baseFee: undefined, decimals: new Map() };
    }
    const { baseFeePerGas } = await chain.getBlock();
    const tokens = networks[blockchain].tokens.filter(({ address }) => address !== '');
    const asked = tokens.map(
      async ({ symbol, address }) => [symbol, await decimalsOf(chain, address)] as const,
    );
    return {
      chainId,
      baseFee: baseFeePerGas ?? undefined,
      decimals: new Map(await Promise.all(asked)),
    };
  });
}

/** The differences between a node and the network that it should be of, as sentences. */
export function nodeFaults(
  blockchain: string,
  { chainId, baseFee, decimals }: NodeFacts,
): string[] {
  const network = networks[blockchain];
  if (network === undefined) return [];
  if (chainId !== network.chainId) {
    return [`CHAIN_RPC_URL is chain ${chainId}, but ${blockchain} is chain ${network.chainId}.`];
  }
  const strange = network.tokens.flatMap(({ symbol, address, decimals: wanted }) => {
    if (address === '') return [];
    const at = `${symbol} of ${blockchain} is ${address}, and the node of CHAIN_RPC_URL`;
    const found = decimals.get(symbol);
    if (found === undefined) return [`${at} has no token there.`];
    return found === wanted ? [] : [`${at} has one of ${found} decimals there, not ${wanted}.`];
  });
  if (baseFee === undefined || baseFee >= network.baseFeeMin) return strange;
  const [is, least] = [baseFee, network.baseFeeMin].map((wei) => formatGwei(wei));
  return [
    ...strange,
    `The base fee at CHAIN_RPC_URL is ${is} gwei, and ${blockchain} has never less than ${least}.`,
  ];
}

/** The decimals of a token. Undefined where none answers. */
async function decimalsOf(chain: PublicClient, token: string): Promise<number | undefined> {
  const address = getAddress(token);
  if ((await chain.getCode({ address })) === undefined) return undefined;
  try {
    return await chain.readContract({ address, abi: erc20Abi, functionName: 'decimals' });
  } catch (error) {
    if (revertOf(error) === undefined) throw error;
    return undefined;
  }
}
