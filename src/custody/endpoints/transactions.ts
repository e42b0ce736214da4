import { z } from 'zod';
import { transactionSchema } from '../transaction';
import {
  abiCall,
  address,
  type Endpoint,
  gas,
  id,
  idempotencyKey,
  read,
  refId,
  write,
} from './endpoint';

/** What moves money or calls contracts, and what became of it. */
export const transactions = {
  createTransfer: {
    ...write,
    path: '/developer/transactions/transfer',
    input: z.strictObject({
      idempotencyKey,
      walletId: id.optional(),
      walletAddress: address.optional(),
      blockchain: z.string().optional(),
      tokenId: id.optional(),
      tokenAddress: z.string().optional(),
      destinationAddress: address,
      amounts: z.array(z.string()).min(1).max(50),
      ...gas,
      refId,
    }),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  executeContract: {
    ...write,
    path: '/developer/transactions/contractExecution',
    input: z.strictObject({
      idempotencyKey,
      walletId: id.optional(),
      walletAddress: address.optional(),
      blockchain: z.string().optional(),
      contractAddress: address,
      ...abiCall,
      callData: z.string().optional(),
      amount: z.string().optional(),
      ...gas,
      refId,
    }),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  getTransaction: {
    ...read,
    path: '/transactions/:id',
    input: z.strictObject({ id, txType: z.enum(['INBOUND', 'OUTBOUND']).optional() }),
    output: z.object({ transaction: transactionSchema }),
  },
} as const satisfies Record<string, Endpoint>;
