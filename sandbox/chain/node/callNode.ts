import { type Hex, isHex } from 'viem';
import { z } from 'zod';

/** One JSON-RPC call. */
export type NodeCall = { method: string; params: unknown[] };

/** The node's answer to a call. A refusal has a code, and the revert's data if there is any. */
export type NodeAnswer =
  | { ok: true; result: unknown }
  | { ok: false; code: number | undefined; reason: string; data: Hex | undefined };

/** The node gave no answer at all: it is gone, or it took longer than it may. */
export class SilentNodeError extends Error {
  override readonly name = 'SilentNodeError';
  readonly isLate: boolean;

  constructor(rpcUrl: string, cause: unknown) {
    super(`The chain's node at ${rpcUrl} does not answer.`, { cause });
    this.isLate = cause instanceof Error && cause.name === 'TimeoutError';
  }
}

/** The longest time for an answer. A node that takes longer counts as hanging. */
export const answerMsMax = 10_000;

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
 * The node keeps the order of calls only in small batches: it does at 60 calls, and does not at
 * 100. Calls that need their order go in batches of this size.
 */
const orderedBatchMax = 40;

/** Sends one call and returns its result. Throws when the node refuses it. */
export async function callNode(rpcUrl: string, call: NodeCall): Promise<unknown> {
  const [answer] = await callNodeInOrder(rpcUrl, [call]);
  if (answer?.ok) return answer.result;
  throw new Error(`The node refused ${call.method}: ${answer?.reason ?? 'no answer'}`);
}

/** Sends calls so that each takes effect before the next. The answers are in the same order. */
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
  const answers = answersSchema.parse(
    await post(
      rpcUrl,
      calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })),
    ),
  );
  const byId = new Map(answers.map((one) => [one.id, one]));
  return calls.map((_, id) => {
    const answer = byId.get(id);
    if (answer === undefined) return noAnswer;
    if (answer.error === undefined) return { ok: true, result: answer.result };
    const { code, message, data } = answer.error;
    return { ok: false, code, reason: message, data: isHex(data) ? data : undefined };
  });
}

/** Any JSON-RPC request as it is, and its answer. */
export async function post(
  rpcUrl: string,
  body: unknown,
  timeMsMax = answerMsMax,
): Promise<unknown> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeMsMax),
    });
    return await response.json();
  } catch (error) {
    throw new SilentNodeError(rpcUrl, error);
  }
}
