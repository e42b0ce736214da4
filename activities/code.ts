import type { OrderKind, ReadOrder } from '../src/orders/kinds';
import { BadOrderError } from '../src/orders/read';
import { readChain } from './readChain';

/**
 * Refuses a call of an address that holds no contract: the chain would take it and do nothing, and
 * the order would end as done. Only the chain itself can tell, so this needs CHAIN_RPC_URL.
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
    `contractAddress: ${address} holds no contract on ${blockchain}, and to call it would do ` +
      'nothing. Check the address and the network.',
  );
}
