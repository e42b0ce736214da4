import { z } from 'zod';
import { blockchains } from '../../custody/objects/blockchain';
import { broken, type Finding, fine, misconfigured, reasonOf } from './finding';

const deadlineMs = 5_000;
const answer = z.object({ result: z.string().regex(/^0x[0-9a-f]+$/i) });

/** Checks that the RPC answers, for the same chain as the service. */
export async function checkChain(rpcUrl: string, blockchain: string): Promise<Finding> {
  const wanted = blockchains[blockchain]?.chainId;
  // Node providers put keys into this address, so no message repeats it.
  if (!URL.canParse(rpcUrl) || !/^https?:$/.test(new URL(rpcUrl).protocol)) {
    return misconfigured(
      'Chain',
      'CHAIN_RPC_URL is not a URL of http or https',
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

async function readChainId(rpcUrl: string): Promise<number> {
  // Node refuses user and password in an address, and its error repeats them.
  const { origin, pathname, search, username, password } = new URL(rpcUrl);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  const response = await fetch(origin + pathname + search, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(user === ':' ? {} : { authorization }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  return Number(answer.parse(await response.json()).result);
}
