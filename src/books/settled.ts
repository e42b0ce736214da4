import { idempotencyKey } from '../custody/idempotencyKey';
import { networks } from '../custody/networks/networks';
import type { Grounds } from '../custody/objects/grounds';
import { refId } from '../custody/reference';
import type { Exchange } from '../orders/exchange/exchange';
import type { WriteReceipt } from './receipt';

/** A settled write, as its workflow knows it. The archive makes a receipt of it. */
export type Settled = Pick<
  WriteReceipt,
  | ('step' | 'item' | 'generation' | 'transactionId' | 'outcome' | 'kind' | 'sender' | 'money')
  | ('networkFee' | 'grounds' | 'time')
> & {
  txHash?: string | undefined;
  userOpHash?: string | undefined;
  /** The reference of a payout's line. */
  reference?: string | undefined;
  /** The payee's name, where a line has it. */
  name?: string | undefined;
  /** The amount in a currency that a line was made from. */
  exchange?: Exchange | undefined;
  /** The batch that has paid a line, with its generation. */
  batch?: { step: string; item: string; generation: number } | undefined;
  onChain?: OnChain | undefined;
};

/** The place of a write on the chain. */
export type OnChain = {
  blockNumber: number;
  blockTime: string;
  logIndex?: number | undefined;
  fee: { baseUnits: string; lines: number };
};

/** Settled writes of one order. */
export type Settlements = {
  order: WriteReceipt['order'];
  service: string;
  blockchain: string;
  settled: readonly Settled[];
};

/**
 * The receipts of an order's settled writes. A caller can hand on any grounds, and anybody can make
 * a ledger. So grounds are kept only where the seal on them counts.
 */
export function receiptsOf(
  { order, service, blockchain, settled }: Settlements,
  isSealed: (key: string, grounds: Grounds) => boolean,
): WriteReceipt[] {
  const chainId = networks[blockchain]?.chainId ?? 0;
  return settled.map((one) => {
    const { batch, txHash, userOpHash, onChain, time, grounds, ...rest } = one;
    const { reference, name, exchange, ...own } = rest;
    const { step, item, generation } = own;
    const sent = { workflowId: order.id, ...(batch ?? { step, item, generation }) };
    const { fee, ...place } = onChain ?? {};
    const key = idempotencyKey(sent);
    return {
      version: 1,
      order: {
        ...order,
        ...(reference === undefined ? {} : { reference }),
        ...(name === undefined ? {} : { payee: name }),
        ...(exchange === undefined ? {} : { exchange }),
      },
      service,
      ...own,
      ...(batch && { batch: batch.item }),
      key,
      refId: refId(sent),
      chain: { blockchain, chainId, txHash, userOpHash, ...place },
      ...(fee && { fee }),
      ...(grounds && isSealed(key, grounds) ? { grounds } : {}),
      time: onChain?.blockTime ?? time,
    };
  });
}
