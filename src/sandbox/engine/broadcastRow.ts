import { randomUUID } from 'node:crypto';
import { parseTransaction } from 'viem';
import type { Fees } from '../chain/estimateCall';
import { fromStoredOperation, type StoredOperation } from '../chain/userOperation';
import type { Service } from '../service';
import type { Hex } from '../store/records';

/**
 * What takes a nonce of a sender: a signed transaction, or a signed operation of a smart account
 * that waits for a bundle. Stored before it is sent; replaced in its place by another of the nonce.
 */
export type BroadcastRow = {
  id: string;
  /** The record that it is to carry out or to cancel; the faucet's and the bundler's have none. */
  transactionId?: string;
  purpose: 'carryOut' | 'cancel';
  sender: Hex;
  nonce: number;
  /** Signed, unless it is an operation. */
  raw?: Hex;
  operation?: StoredOperation;
  userOpHash?: Hex;
  /** Of the transaction that brings it into a block: its own, or its bundle's once it has one. */
  txHash?: Hex | undefined;
  /** Of an operation whose bundle reverted: it gets one of its own, and can undo no other. */
  alone?: boolean;
  /** Gas limit. */
  gas: string;
  /**
   * pending until a block takes it (an operation, until a bundle: it is bundled then), assigned to
   * a block, and done once its outcome has been read. No block takes it while it is underpriced,
   * stuck (that has been noticed, or is wanted), or replacing: what is wanted in its place is being
   * signed.
   */
  status: 'pending' | 'underpriced' | 'stuck' | 'replacing' | 'bundled' | 'assigned' | 'done';
  /** The purpose of what is to take its place. */
  wanted?: BroadcastRow['purpose'] | undefined;
  /** Of one that is done: it was left out of its block, or has reverted there. */
  failed?: boolean;
  /** The most it can cost its sender in native base units. */
  costMax: string;
  sentAtMs: number;
};

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

/** What it offers for gas. */
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
  { store, chain }: Pick<Service, 'store' | 'chain'>,
  address: Hex,
): Promise<number> {
  const waiting = store.broadcasts.inFlight(address);
  const mined = await chain.client.getTransactionCount({ address });
  return Math.max(mined, ...waiting.map(({ nonce }) => nonce + 1));
}
