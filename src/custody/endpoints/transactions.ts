import { z } from 'zod';
import { feeEstimateSchema, operations, transactionSchema } from '../objects/transaction';
import {
  abiCall,
  address,
  blockchain,
  type Endpoint,
  estimate,
  gas,
  id,
  idempotencyKey,
  includeAll,
  isWhole,
  order,
  page,
  read,
  refId,
  write,
} from './endpoint';

/** The sender: a wallet by its id, or any address with its blockchain. */
const source = {
  walletId: id.optional(),
  sourceAddress: address.optional(),
  blockchain: blockchain.optional(),
};

/** Transfers, contract calls, and their transactions. */
export const transactions = {
  createTransfer: {
    ...write,
    path: '/developer/transactions/transfer',
    input: z
      .strictObject({
        idempotencyKey,
        walletId: id.optional(),
        walletAddress: address.optional(),
        blockchain: blockchain.optional(),
        tokenId: id.optional(),
        tokenAddress: z.string().optional(),
        destinationAddress: address,
        amounts: z.array(z.string()).min(1).max(50),
        nftTokenIds: z.array(z.string()).min(1).max(50).optional(),
        ...gas,
        refId,
      })
      .check(isWhole),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  executeContract: {
    ...write,
    path: '/developer/transactions/contractExecution',
    input: z
      .strictObject({
        idempotencyKey,
        walletId: id.optional(),
        walletAddress: address.optional(),
        blockchain: blockchain.optional(),
        contractAddress: address,
        ...abiCall,
        callData: z.string().optional(),
        amount: z.string().optional(),
        ...gas,
        refId,
      })
      .check(isWhole),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  /** Best effort: the answer has the state at once, the transaction its end later. */
  cancelTransaction: {
    ...write,
    path: '/developer/transactions/:id/cancel',
    success: 200,
    input: z.strictObject({ id, idempotencyKey }),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  accelerateTransaction: {
    ...write,
    path: '/developer/transactions/:id/accelerate',
    success: 200,
    input: z.strictObject({ id, idempotencyKey }),
    output: z.object({ id: z.string() }),
  },
  estimateTransfer: {
    ...estimate,
    path: '/transactions/transfer/estimateFee',
    input: z
      .strictObject({
        ...source,
        tokenId: id.optional(),
        tokenAddress: z.string().optional(),
        destinationAddress: address,
        amounts: z.array(z.string()).min(1).max(50),
        nftTokenIds: z.array(z.string()).min(1).max(50).optional(),
      })
      .check(isWhole),
    output: feeEstimateSchema,
  },
  estimateExecution: {
    ...estimate,
    path: '/transactions/contractExecution/estimateFee',
    input: z
      .strictObject({
        ...source,
        contractAddress: address,
        ...abiCall,
        callData: z.string().optional(),
        amount: z.string().optional(),
      })
      .check(isWhole),
    output: feeEstimateSchema,
  },
  getTransaction: {
    ...read,
    path: '/transactions/:id',
    input: z.strictObject({ id, txType: z.string().optional() }),
    output: z.object({ transaction: transactionSchema }),
  },
  listTransactions: {
    ...read,
    path: '/transactions',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      custodyType: z.enum(['DEVELOPER', 'ENDUSER']).optional(),
      destinationAddress: address.optional(),
      includeAll,
      operation: z.enum(operations).optional(),
      state: z.string().optional(),
      txHash: z.string().optional(),
      txType: z.string().optional(),
      /** Ids with commas between them. */
      walletIds: z.string().optional(),
      ...page,
      order,
    }),
    output: z.object({ transactions: z.array(transactionSchema) }),
  },
  validateAddress: {
    ...read,
    method: 'POST',
    rate: 'writes',
    path: '/transactions/validateAddress',
    input: z.strictObject({ address, blockchain }),
    output: z.object({ isValid: z.boolean() }),
  },
} as const satisfies Record<string, Endpoint>;
