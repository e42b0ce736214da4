import { BadOrderError } from '../../src/orders/input/read';
import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import { readChain } from '../chain/readChain';

/**
 * Refuses a call of an address without a contract: the chain would accept it and do nothing, and
 * the order would end as done. Needs CHAIN_RPC_URL, since only the chain can tell.
 */
export async function refuseWithoutCode(
  order: ReadOrder<OrderKind>,
  { blockchain, chainRpcUrl }: { blockchain: string; chainRpcUrl: string | undefined },
): Promise<void> {
  if (chainRpcUrl === undefined || !('abiFunctionSignature' in order)) return;
  const { contractAddress: address } = order;
  const code = await readChain(chainRpcUrl, (chain) => chain.getCode({ address }));
  if (code !== undefined && code !== '0x') return;
  throw new BadOrderError(
    `contractAddress: ${address} holds no contract on ${blockchain}, so a call would do ` +
      'nothing. Check the address and the network.',
  );
}
