import { randomUUID } from 'node:crypto';
import { parseTransaction } from 'viem';
import { fromStoredOperation } from '../../chain/account/operation';
import type { Fees } from '../../chain/estimateCall';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { Hex } from '../../store/records/records';
import type { EngineParts } from '../parts';

/** A signed transaction or operation as it waits for a block. */
export function toBroadcast(
  facts: Pick<BroadcastRow, 'sender' | 'nonce'> &
    Partial<Omit<BroadcastRow, 'gas' | 'costMax'>> & { gas: bigint; costMax: bigint },
): BroadcastRow {
  return {
    id: randomUUID(),
    purpose: 'carryOut',
    status: 'pending',
    sentAtMs: Date.now(),
    ...facts,
    gas: facts.gas.toString(),
    costMax: facts.costMax.toString(),
  };
}

/** The prices that it offers for gas. */
export function offeredBy({ raw, operation }: Pick<BroadcastRow, 'raw' | 'operation'>): Fees {
  if (operation !== undefined) return fromStoredOperation(operation);
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw ?? '0x');
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * The nonce after all that is mined or waits to be. Never a sum of the two, since a block may be
 * mined between counting them.
 */
export async function nextNonce(
  { store, chain }: Pick<EngineParts, 'store' | 'chain'>,
  address: Hex,
): Promise<number> {
  const waiting = store.broadcasts.inFlight(address);
  const mined = await chain.client.getTransactionCount({ address });
  return Math.max(mined, ...waiting.map(({ nonce }) => nonce + 1));
}
