import { createPublicClient, defineChain, http, type PublicClient, type Transport } from 'viem';

/**
 * The node keeps no old states, and a block that is mined while it answers makes the newest state
 * that it has just looked up an old one. Such a read has only to be asked again.
 */
const overtaken = /BlockOutOfRange/;
const asksMax = 20;

/** True of an answer that a new block has overtaken. */
export function isOvertaken(reason: string): boolean {
  return overtaken.test(reason);
}

/** Reads of the chain as it stands now. */
export function createChainClient(chainId: number, rpcUrl: string): PublicClient {
  return createPublicClient({
    chain: defineChain({
      id: chainId,
      name: 'Steadfast sandbox',
      nativeCurrency: { name: 'USDC', symbol: 'USDC', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    // Reads must see the newest block, and a node that is gone must be noticed at once.
    cacheTime: 0,
    transport: askingAgain(http(rpcUrl, { batch: { wait: 0 }, retryCount: 0 })),
  });
}

function askingAgain(transport: Transport): Transport {
  return (parameters) => {
    const asked = transport(parameters);
    const request: typeof asked.request = async (call, options) => {
      for (let ask = 1; ; ask++) {
        try {
          return await asked.request(call, options);
        } catch (error) {
          if (ask === asksMax || !isOvertaken(String(error))) throw error;
        }
      }
    };
    return { ...asked, request };
  };
}
