import type { Archive } from '../../src/archive/archive';
import { idempotencyKey } from '../../src/custody/idempotencyKey';
import { blockchains } from '../../src/custody/objects/blockchain';
import { refId } from '../../src/custody/reference';
import type { Receipt } from '../../src/statement/receipt';
import { stop } from '../failure';

/** A settled write, as its workflow knows it. The archive makes a receipt of it. */
export type Settled = Pick<
  Receipt,
  | ('step' | 'item' | 'generation' | 'transactionId' | 'outcome' | 'kind' | 'sender' | 'money')
  | ('networkFee' | 'grounds' | 'time')
> & {
  txHash?: string | undefined;
  userOpHash?: string | undefined;
  /** Of a payout's line. */
  reference?: string | undefined;
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
  order: Receipt['order'];
  service: string;
  blockchain: string;
  settled: readonly Settled[];
};

/** Keeps the receipts of orders. Workers of the role workflows run it. */
export function archiveActivities(archive: Archive | undefined) {
  return {
    /**
     * Adds receipts to the archive. Each write has one there, however often this is called. Throws
     * NeedsOperator while they cannot be kept.
     */
    async archiveReceipts(settlements: Settlements): Promise<void> {
      if (archive === undefined) {
        throw stop(
          'NeedsOperator',
          'STEADFAST_STORE is not set on this worker, but the receipts of this order go to the ' +
            'archive. Set it and restart the worker.',
        );
      }
      try {
        await archive.append(receiptsOf(settlements));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw stop('NeedsOperator', `The receipts of this order cannot be kept yet. ${reason}`);
      }
    },
  };
}

/** The receipts of an order's settled writes. */
export function receiptsOf({ order, service, blockchain, settled }: Settlements): Receipt[] {
  const chainId = blockchains[blockchain]?.chainId ?? 0;
  return settled.map(({ batch, txHash, userOpHash, onChain, time, reference, ...own }) => {
    const { step, item, generation } = own;
    const sent = { workflowId: order.id, ...(batch ?? { step, item, generation }) };
    const { fee, ...place } = onChain ?? {};
    return {
      version: 1,
      order: reference === undefined ? order : { ...order, reference },
      service,
      ...own,
      ...(batch && { batch: batch.item }),
      key: idempotencyKey(sent),
      refId: refId(sent),
      chain: { blockchain, chainId, txHash, userOpHash, ...place },
      ...(fee && { fee }),
      time: onChain?.blockTime ?? time,
    };
  });
}
