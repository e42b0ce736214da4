import { z } from 'zod';
import { contractSchema } from '../contract';
import { levelEstimatesSchema } from '../transaction';
import {
  abiCall,
  address,
  contractBlockchain as blockchain,
  type Endpoint,
  estimate,
  gas,
  id,
  idempotencyKey,
  isWhole,
  page,
  read,
  refId,
  write,
} from './endpoint';

/** Contracts: deployed from templates, read and asked. */
export const contracts = {
  deployTemplate: {
    ...write,
    path: '/templates/:id/deploy',
    input: z.strictObject({
      id,
      idempotencyKey,
      name: z.string().min(1).max(100),
      description: z.string().optional(),
      walletId: id,
      blockchain,
      templateParameters: z.record(z.string(), z.unknown()).optional(),
      ...gas,
      refId,
    }),
    output: z.object({ contractIds: z.array(z.string()).min(1), transactionId: z.string() }),
  },
  estimateDeployment: {
    ...estimate,
    rate: 'writes',
    path: '/templates/:id/deploy/estimateFee',
    input: z
      .strictObject({
        id,
        walletId: id.optional(),
        sourceAddress: address.optional(),
        blockchain,
        templateParameters: z.record(z.string(), z.unknown()).optional(),
      })
      .check(isWhole),
    output: levelEstimatesSchema,
  },
  getContract: {
    ...read,
    path: '/contracts/:id',
    input: z.strictObject({ id }),
    output: z.object({ contract: contractSchema }),
  },
  listContracts: {
    ...read,
    path: '/contracts',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      contractInputType: z.enum(['IMPORT', 'BYTECODE', 'TEMPLATE', 'AUTO_IMPORT']).optional(),
      deployerAddress: address.optional(),
      name: z.string().optional(),
      status: z.enum(['PENDING', 'FAILED', 'COMPLETE']).optional(),
      ...page,
    }),
    output: z.object({ contracts: z.array(contractSchema) }),
  },
  queryContract: {
    ...read,
    method: 'POST',
    rate: 'writes',
    path: '/contracts/query',
    input: z.strictObject({
      address,
      blockchain,
      ...abiCall,
      abiJson: z.string().optional(),
      callData: z.string().optional(),
      fromAddress: address.optional(),
    }),
    output: z.object({
      outputValues: z.array(z.unknown()).optional(),
      outputData: z.string(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
