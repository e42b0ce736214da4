import { z } from 'zod';
import { feeParametersSchema, lowestNonceSchema } from '../objects/transaction';
import { accountTypes } from '../objects/wallet';
import { address, blockchain, type Endpoint, id, read } from './endpoint';

/** Reads before a replacement: the price of gas now, and the transaction that holds up the rest. */
export const pending = {
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
