import { type Address, concat, type Hex, hexToBigInt, isHex, pad } from 'viem';
import { z } from 'zod';
import { post } from './callNode';
import { type Ask, isOvertaken } from './client';

/** A question with one number for an answer. Addresses and numbers are its arguments. */
type NumberQuestion = { to: Address; selector: Hex; words: readonly Hex[] };

/** Asks a contract of our own, which surely answers. Questions of one moment travel together. */
export type ReadNumber = (question: NumberQuestion) => Promise<bigint>;

type Asked = {
  call: { to: Address; data: Hex };
  asks: number;
  resolve(answer: bigint): void;
  reject(reason: unknown): void;
};

const asksMax = 20;
const answersSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ message: z.string() }).optional(),
  }),
);

/** By hand, since these are the questions that every transfer has. */
export function createNumberReader(ask: Ask): ReadNumber {
  let waiting: Asked[] = [];
  const enqueue = (asked: Asked): void => {
    if (waiting.length === 0) setImmediate(send);
    waiting.push(asked);
  };
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const answers = await ask(({ rpcUrl }) => post(rpcUrl, batch.map(toRequest)));
      const byId = new Map(answersSchema.parse(answers).map((one) => [one.id, one]));
      for (const [id, asked] of batch.entries()) {
        const { result, error } = byId.get(id) ?? {};
        const reason = error?.message ?? 'no answer';
        if (isHex(result)) asked.resolve(hexToBigInt(result));
        else if (isOvertaken(reason) && asked.asks < asksMax) {
          enqueue({ ...asked, asks: asked.asks + 1 });
        } else asked.reject(new Error(`The node could not read a number: ${reason}`));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return ({ to, selector, words }) =>
    new Promise((resolve, reject) => {
      const data = concat([selector, ...words.map((word) => pad(word))]);
      enqueue({ call: { to, data }, asks: 1, resolve, reject });
    });
}

function toRequest({ call }: Asked, id: number) {
  return { jsonrpc: '2.0', id, method: 'eth_call', params: [call, 'latest'] };
}
