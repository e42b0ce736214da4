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
  addressText,
  blockchain,
  checkSender,
  type Endpoint,
  estimate,
  gas,
  id,
  idempotencyKeySchema,
  includeAll,
  order,
  page,
  readEndpoint,
  refIdSchema,
  senderFields,
  writeEndpoint,
} from './endpoint';

/** The sender of an estimate: a wallet by its id, or any address with its blockchain. */
const source = {
  walletId: id.optional(),
  sourceAddress: addressText.optional(),
  blockchain: blockchain.optional(),
};

/** The fields of a transfer and of its estimate. */
const moved = {
  tokenId: id.optional(),
  tokenAddress: z.string().optional(),
  destinationAddress: addressText,
  amounts: z.array(z.string()).min(1).max(50),
  nftTokenIds: z.array(z.string()).max(50).optional(),
};

/** A call of a contract, by its function or as call data. */
const called = {
  contractAddress: addressText,
  ...abiCall,
  callData: z.string().optional(),
  amount: z.string().optional(),
};

const accepted = z.object({ id: z.string(), state: z.string() });

/** Transfers, contract calls, and their transactions. */
export const transactions = {
  createTransfer: {
    ...writeEndpoint,
    path: '/developer/transactions/transfer',
    input: z
      .strictObject({
        idempotencyKey: idempotencyKeySchema,
        ...senderFields,
        ...moved,
        ...gas,
        refId: refIdSchema,
      })
      .check(checkSender),
    output: accepted,
  },
  executeContract: {
    ...writeEndpoint,
    path: '/developer/transactions/contractExecution',
    input: z
      .strictObject({
        idempotencyKey: idempotencyKeySchema,
        ...senderFields,
        ...called,
        ...gas,
        refId: refIdSchema,
      })
      .check(checkSender),
    output: accepted,
  },
  /** Best effort: the answer has the state at once, the transaction its end later. */
  cancelTransaction: {
    ...writeEndpoint,
    path: '/developer/transactions/:id/cancel',
    success: 200,
    input: z.strictObject({ id, idempotencyKey: idempotencyKeySchema }),
    output: accepted,
  },
  accelerateTransaction: {
    ...writeEndpoint,
    path: '/developer/transactions/:id/accelerate',
    success: 200,
    input: z.strictObject({ id, idempotencyKey: idempotencyKeySchema }),
    output: z.object({ id: z.string() }),
  },
  estimateTransfer: {
    ...estimate,
    path: '/transactions/transfer/estimateFee',
    input: z.strictObject({ ...source, ...moved }).check(checkSender),
    output: feeEstimateSchema,
  },
  estimateExecution: {
    ...estimate,
    path: '/transactions/contractExecution/estimateFee',
    input: z.strictObject({ ...source, ...called }).check(checkSender),
    output: feeEstimateSchema,
  },
  getTransaction: {
    ...readEndpoint,
    path: '/transactions/:id',
    input: z.strictObject({ id, txType: z.string().optional() }),
    output: z.object({ transaction: transactionSchema }),
  },
  listTransactions: {
    ...readEndpoint,
    path: '/transactions',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      custodyType: z.enum(['DEVELOPER', 'ENDUSER']).optional(),
      destinationAddress: addressText.optional(),
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
    ...readEndpoint,
    method: 'POST',
    rate: 'writes',
    path: '/transactions/validateAddress',
    input: z.strictObject({ address: addressText, blockchain }),
    output: z.object({ isValid: z.boolean() }),
  },
  /** Changes what a smart account runs. */
  upgradeWallet: {
    ...writeEndpoint,
    path: '/developer/transactions/walletUpgrade',
    input: z.strictObject({
      idempotencyKey: idempotencyKeySchema,
      walletId: id,
      newScaCore: z.enum(newScaCores),
      ...gas,
      refId: refIdSchema,
    }),
    output: accepted,
  },
  /** The price of gas now. */
  getFeeParameters: {
    ...readEndpoint,
    path: '/developer/transactions/feeParameters',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      accountType: z.enum(accountTypes).optional(),
    }),
    output: feeParametersSchema,
  },
  /** Answers nothing where no transaction of the wallet waits for a block. */
  getLowestNonceTransaction: {
    ...readEndpoint,
    path: '/transactions/lowestNonceTransaction',
    input: z
      .strictObject({
        walletId: id.optional(),
        address: addressText.optional(),
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
