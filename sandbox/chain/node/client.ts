import { createPublicClient, defineChain, http, type PublicClient, type Transport } from 'viem';
import { z } from 'zod';
import type { Anvil } from './anvil';
import { answerMsMax, callNodeInOrder, type NodeAnswer, type NodeCall, post } from './callNode';

/**
 * The node keeps no old states. A block that is mined during a read makes the state of that read an
 * old one. Such a read only has to be repeated.
 */
const overtaken = /BlockOutOfRange/;
const asksMax = 20;

/** True of an answer that a new block has overtaken. */
export function isOvertaken(reason: string): boolean {
  return overtaken.test(reason);
}

/** A function that puts a question to the current node. */
type Ask = <Answer>(question: (node: Pick<Anvil, 'rpcUrl'>) => Promise<Answer>) => Promise<Answer>;

/** Reads of the chain as it stands now, whichever node it has. */
export function createChainClient(chainId: number, ask: Ask): PublicClient {
  return createPublicClient({
    chain: defineChain({
      id: chainId,
      name: 'Steadfast sandbox',
      nativeCurrency: { name: 'USDC', symbol: 'USDC', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    }),
    // Reads must see the newest block.
    cacheTime: 0,
    transport: asking(ask),
  });
}

/** Reads of this one node, while it is being built. */
export function createNodeClient(chainId: number, node: Pick<Anvil, 'rpcUrl'>): PublicClient {
  return createChainClient(chainId, (question) => question(node));
}

function asking(ask: Ask): Transport {
  return (parameters) => {
    const transportTo = (rpcUrl: string) =>
      http(rpcUrl, { batch: { wait: 0 }, retryCount: 0, timeout: answerMsMax })(parameters);
    let transport = transportTo('http://127.0.0.1');
    const request: typeof transport.request = (call, options) =>
      ask(({ rpcUrl }) => {
        if (transport.value?.url !== rpcUrl) transport = transportTo(rpcUrl);
        const { request } = transport;
        return askAgain(() => request(call, options));
      });
    return { ...transport, request };
  };
}

async function askAgain<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  for (let ask = 1; ; ask++) {
    try {
      return await question();
    } catch (error) {
      if (ask === asksMax || !isOvertaken(String(error))) throw error;
    }
  }
}

/** Makes reads in their order. When a new block has overtaken one of them, makes all of them again. */
export async function readInOrder(
  rpcUrl: string,
  calls: readonly NodeCall[],
): Promise<NodeAnswer[]> {
  for (let ask = 1; ; ask++) {
    const answers = await callNodeInOrder(rpcUrl, calls);
    const isAgain = answers.some((answer) => !answer.ok && isOvertaken(answer.reason));
    if (ask === asksMax || !isAgain) return answers;
  }
}

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** Passes on a JSON-RPC request of somebody else, and returns its answer as it is. */
export async function relayTo(rpcUrl: string, body: unknown, timeMsMax: number): Promise<unknown> {
  for (let ask = 1; ; ask++) {
    const answer = await post(rpcUrl, body, timeMsMax);
    const reasons = [answer].flat().map((one) => refusalSchema.safeParse(one).data?.error.message);
    if (ask === asksMax || !reasons.some((reason = '') => isOvertaken(reason))) return answer;
  }
}
