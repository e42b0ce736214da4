import { z } from 'zod';
import { blockchains } from '../../custody/blockchain';
import { broken, type Finding, fine, misconfigured, reasonOf } from './finding';

const deadlineMs = 5_000;
const answer = z.object({ result: z.string().regex(/^0x[0-9a-f]+$/i) });

/** Whether the chain's RPC answers, and is the chain that the service works on. */
export async function checkChain(rpcUrl: string, blockchain: string): Promise<Finding> {
  const wanted = blockchains[blockchain]?.chainId;
  // The address itself is not repeated: providers of nodes put keys into it.
  if (!isPlainUrl(rpcUrl)) {
    return misconfigured(
      'Chain',
      'CHAIN_RPC_URL is not a URL of http or https without user and password',
      'Set it to the JSON-RPC address of a node, or unset it to do without.',
    );
  }
  try {
    const chainId = await readChainId(rpcUrl);
    if (wanted === undefined || chainId === wanted) return fine('Chain', `id ${chainId} answers`);
    return misconfigured(
      'Chain',
      `CHAIN_RPC_URL is chain ${chainId}, but ${blockchain} is chain ${wanted}`,
      `Set CHAIN_RPC_URL to an RPC of ${blockchain}.`,
    );
  } catch (error) {
    return broken(
      'Chain',
      `CHAIN_RPC_URL gives no usable answer: ${reasonOf(error)}`,
      'Check the address and whether the node is up. It is optional: unset it to do without.',
    );
  }
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

async function readChainId(rpcUrl: string): Promise<number> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  return Number(answer.parse(await response.json()).result);
}
