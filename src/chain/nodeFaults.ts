import {
  BaseError,
  ContractFunctionZeroDataError,
  erc20Abi,
  formatGwei,
  getAddress,
  type PublicClient,
} from 'viem';
import { networks } from '../custody/networks/networks';
import { readChain, revertOf } from './readChain';

/** The facts of a node's chain that the table of networks tells as well. */
type NodeFacts = {
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
  if (chainId !== network.chainId) return [otherChain(blockchain, chainId)];
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
    // Code that answers nothing at all is no token either.
    if (revertOf(error) === undefined && !saysNothing(error)) throw error;
    return undefined;
  }
}

function saysNothing(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return error.walk((one) => one instanceof ContractFunctionZeroDataError) !== null;
}

/** The fault of a node that is of another chain. */
function otherChain(blockchain: string, chainId: number): string {
  const own = networks[blockchain]?.chainId;
  return `CHAIN_RPC_URL is chain ${chainId}, but ${blockchain} is chain ${own}.`;
}

/** Throws unless a chain is the one of its network. */
export async function refuseOtherChainId(chain: PublicClient, blockchain: string): Promise<void> {
  const chainId = await chain.getChainId();
  if (chainId !== networks[blockchain]?.chainId) throw new Error(otherChain(blockchain, chainId));
}
