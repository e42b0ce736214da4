import { type Hex, isHex } from 'viem';
import { z } from 'zod';

/** One JSON-RPC call. */
export type NodeCall = { method: string; params: unknown[] };

/** What the node made of a call; a refusal has a code, and the revert's data where there is any. */
export type NodeAnswer =
  | { ok: true; result: unknown }
  | { ok: false; code: number | undefined; reason: string; data: Hex | undefined };

const noAnswer: NodeAnswer = {
  ok: false,
  code: undefined,
  reason: 'no answer',
  data: undefined,
};

const answersSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z
      .object({ code: z.number().optional(), message: z.string(), data: z.unknown().optional() })
      .optional(),
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
    if (answer === undefined) return noAnswer;
    if (answer.error === undefined) return { ok: true, result: answer.result };
    const { code, message, data } = answer.error;
    return { ok: false, code, reason: message, data: isHex(data) ? data : undefined };
  });
}
