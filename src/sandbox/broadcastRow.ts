import type { SignedTransaction } from './chain/transaction';
import type { BroadcastRow, Hex } from './records';
import type { Service } from './service';

/** A signed transaction as it waits for a block. */
export function toBroadcast(
  signed: SignedTransaction,
  facts: { sender: Hex; nonce: number; gas: bigint; cost: bigint },
): BroadcastRow {
  return {
    id: signed.hash,
    sender: facts.sender,
    nonce: facts.nonce,
    raw: signed.transaction,
    gas: facts.gas.toString(),
    status: 'pending',
    costMax: facts.cost.toString(),
  };
}

/**
 * The nonce after all that is mined or waits to be. Never a sum of the two, since a block may be
 * mined between counting them.
 */
export async function nextNonce(
  { store, chain }: Pick<Service, 'store' | 'chain'>,
  address: Hex,
): Promise<number> {
  const waiting = store.broadcasts.where('sender', address).filter((row) => row.status !== 'done');
  const mined = await chain.client.getTransactionCount({ address });
  return Math.max(mined, ...waiting.map(({ nonce }) => nonce + 1));
}
