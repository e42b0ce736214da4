import { z } from 'zod';
import {
  feeEstimateSchema,
  feeParametersSchema,
  lowestNonceSchema,
  operations,
  transactionSchema,
} from '../objects/transaction';
import { accountTypes, newScaCores } from '../objects/wallet';
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
  sender,
  write,
} from './endpoint';

/** The sender of an estimate: a wallet by its id, or any address with its blockchain. */
const source = {
  walletId: id.optional(),
  sourceAddress: address.optional(),
  blockchain: blockchain.optional(),
};

/** The fields of a transfer and of its estimate. */
const moved = {
  tokenId: id.optional(),
  tokenAddress: z.string().optional(),
  destinationAddress: address,
  amounts: z.array(z.string()).min(1).max(50),
  nftTokenIds: z.array(z.string()).max(50).optional(),
};

/** A call of a contract, by its function or as call data. */
const called = {
  contractAddress: address,
  ...abiCall,
  callData: z.string().optional(),
  amount: z.string().optional(),
};

const accepted = z.object({ id: z.string(), state: z.string() });

/** Transfers, contract calls, and their transactions. */
export const transactions = {
  createTransfer: {
    ...write,
    path: '/developer/transactions/transfer',
    input: z.strictObject({ idempotencyKey, ...sender, ...moved, ...gas, refId }).check(isWhole),
    output: accepted,
  },
  executeContract: {
    ...write,
    path: '/developer/transactions/contractExecution',
    input: z.strictObject({ idempotencyKey, ...sender, ...called, ...gas, refId }).check(isWhole),
    output: accepted,
  },
  /** Best effort: the answer has the state at once, the transaction its end later. */
  cancelTransaction: {
    ...write,
    path: '/developer/transactions/:id/cancel',
    success: 200,
    input: z.strictObject({ id, idempotencyKey }),
    output: accepted,
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
    input: z.strictObject({ ...source, ...moved }).check(isWhole),
    output: feeEstimateSchema,
  },
  estimateExecution: {
    ...estimate,
    path: '/transactions/contractExecution/estimateFee',
    input: z.strictObject({ ...source, ...called }).check(isWhole),
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
      walletIds: z.string().toLowerCase().optional(),
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
  /** Changes what a smart account runs. */
  upgradeWallet: {
    ...write,
    path: '/developer/transactions/walletUpgrade',
    input: z.strictObject({
      idempotencyKey,
      walletId: id,
      newScaCore: z.enum(newScaCores),
      ...gas,
      refId,
    }),
    output: accepted,
  },
  /** The price of gas now. */
  getFeeParameters: {
    ...read,
    path: '/developer/transactions/feeParameters',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      accountType: z.enum(accountTypes).optional(),
    }),
    output: feeParametersSchema,
  },
  /** Answers nothing where no transaction of the wallet waits for a block. */
  getLowestNonceTransaction: {
    ...read,
    path: '/transactions/lowestNonceTransaction',
    input: z
      .strictObject({
        walletId: id.optional(),
        address: address.optional(),
        blockchain: blockchain.optional(),
      })
      .refine(({ walletId, address }) => walletId !== undefined || address !== undefined, {
        path: ['walletId'],
        error: 'A wallet or an address is required',
      })
      .refine(({ address, blockchain }) => address === undefined || blockchain !== undefined, {
        path: ['blockchain'],
        error: 'An address needs its blockchain',
      }),
    output: lowestNonceSchema.optional(),
  },
} as const satisfies Record<string, Endpoint>;
