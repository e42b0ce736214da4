import { type Address, concat, type Hex, hexToBigInt, type PublicClient, pad } from 'viem';

/** A question with one number for an answer; addresses and numbers are its arguments. */
export type NumberQuestion = { to: Address; selector: Hex; words: readonly Hex[] };

/** Asks a contract of our own, which surely answers; written by hand, since it is asked often. */
export async function readNumber(
  client: PublicClient,
  { to, selector, words }: NumberQuestion,
): Promise<bigint> {
  const data = concat([selector, ...words.map((word) => pad(word))]);
  return hexToBigInt(
    await client.request({ method: 'eth_call', params: [{ to, data }, 'latest'] }),
  );
}
