import { type Address, concat, type Hex, hexToBigInt, type PublicClient, pad } from 'viem';

/** A question with one number for an answer. Addresses and numbers are its arguments. */
type NumberQuestion = { to: Address; selector: Hex; words: readonly Hex[] };

/** Asks a contract of our own, which surely answers. Questions of one moment travel together. */
type ReadNumber = (question: NumberQuestion) => Promise<bigint>;

/** Packs words by hand, since these are the questions that every transfer has. */
export function createNumberReader(client: PublicClient): ReadNumber {
  return async ({ to, selector, words }) => {
    const data = concat([selector, ...words.map((word) => pad(word))]);
    const call = { method: 'eth_call', params: [{ to, data }, 'latest'] } as const;
    return hexToBigInt(await client.request(call));
  };
}
