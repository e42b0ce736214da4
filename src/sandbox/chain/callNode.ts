import { type Hex, isHex } from 'viem';
import { z } from 'zod';

/** One JSON-RPC call. */
export type NodeCall = { method: string; params: unknown[] };

/** What the node made of a call; a refusal carries the revert's data where there is any. */
export type NodeAnswer =
  | { ok: true; result: unknown }
  | { ok: false; reason: string; data: Hex | undefined };

const answersSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ message: z.string(), data: z.unknown() }).partial({ data: true }).optional(),
  }),
);

/**
 * The node keeps the order of the calls in a batch only while the batch is small: at 150 it starts
 * to take turns. What must stay in order goes in batches of this size.
 */
const orderedBatchMax = 20;

/** Sends one call and returns its result; throws when the node refuses it. */
export async function callNode(rpcUrl: string, call: NodeCall): Promise<unknown> {
  const [answer] = await callNodeInOrder(rpcUrl, [call]);
  if (answer?.ok) return answer.result;
  throw new Error(`The node refused ${call.method}: ${answer?.reason ?? 'no answer'}`);
}

/** Sends calls so that each takes effect before the next; the answers are in the same order. */
export async function callNodeInOrder(
  rpcUrl: string,
  calls: readonly NodeCall[],
): Promise<NodeAnswer[]> {
  const answers: NodeAnswer[] = [];
  for (let start = 0; start < calls.length; start += orderedBatchMax) {
    answers.push(...(await sendBatch(rpcUrl, calls.slice(start, start + orderedBatchMax))));
  }
  return answers;
}

async function sendBatch(rpcUrl: string, calls: readonly NodeCall[]): Promise<NodeAnswer[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  }).catch((cause: unknown) => {
    throw new Error(`The chain's node at ${rpcUrl} does not answer.`, { cause });
  });
  const byId = new Map(answersSchema.parse(await response.json()).map((one) => [one.id, one]));
  return calls.map((_, id) => {
    const answer = byId.get(id);
    if (answer === undefined) return { ok: false, reason: 'no answer', data: undefined };
    if (answer.error === undefined) return { ok: true, result: answer.result };
    const { message, data } = answer.error;
    return { ok: false, reason: message, data: isHex(data) ? data : undefined };
  });
}
