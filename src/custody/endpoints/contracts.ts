import { z } from 'zod';
import { contractSchema } from '../objects/contract';
import { levelEstimatesSchema } from '../objects/transaction';
import {
  abiCall,
  addressText,
  contractBlockchain as blockchain,
  checkSender,
  type Endpoint,
  estimate,
  gas,
  id,
  idempotencyKeySchema,
  page,
  readEndpoint,
  refIdSchema,
  writeEndpoint,
} from './endpoint';

const name = z.string().min(1).max(255);
const description = z.string().optional();

/** A contract's creation code, and what its constructor is given. */
const creation = {
  bytecode: z.string().regex(/^0x([0-9a-fA-F]{2})*$/, {
    error: 'Not 0x and hexadecimal digits. Link code that needs libraries first',
  }),
  constructorSignature: z.string().min(1).max(1_000).optional(),
  constructorParameters: z.array(z.unknown()).max(1_000).optional(),
};

/** Contracts: deployed from templates or bytecode, imported, read, changed and asked. */
export const contracts = {
  deployTemplate: {
    ...writeEndpoint,
    path: '/templates/:id/deploy',
    input: z.strictObject({
      id,
      idempotencyKey: idempotencyKeySchema,
      name: z.string().min(1).max(100),
      description: z.string().optional(),
      walletId: id,
      blockchain,
      templateParameters: z.record(z.string(), z.unknown()).optional(),
      ...gas,
      refId: refIdSchema,
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
        sourceAddress: addressText.optional(),
        blockchain,
        templateParameters: z.record(z.string(), z.unknown()).optional(),
      })
      .check(checkSender),
    output: levelEstimatesSchema,
  },
  deployContract: {
    ...writeEndpoint,
    path: '/contracts/deploy',
    input: z.strictObject({
      idempotencyKey: idempotencyKeySchema,
      name,
      description,
      walletId: id,
      blockchain,
      abiJson: z.string(),
      ...creation,
      ...gas,
      refId: refIdSchema,
    }),
    output: z.object({ contractId: z.string(), transactionId: z.string() }),
  },
  estimateContractDeployment: {
    ...estimate,
    rate: 'writes',
    path: '/contracts/deploy/estimateFee',
    input: z
      .strictObject({
        ...creation,
        abiJson: z.string().optional(),
        walletId: id.optional(),
        sourceAddress: addressText.optional(),
        blockchain: blockchain.optional(),
      })
      .check(checkSender),
    output: levelEstimatesSchema,
  },
  importContract: {
    ...writeEndpoint,
    signed: false,
    path: '/contracts/import',
    input: z.strictObject({
      idempotencyKey: idempotencyKeySchema,
      name,
      description,
      address: addressText,
      blockchain,
      refreshVerification: z.boolean().optional(),
    }),
    output: z.object({ contract: contractSchema }),
  },
  updateContract: {
    ...writeEndpoint,
    method: 'PATCH',
    signed: false,
    success: 200,
    path: '/contracts/:id',
    input: z.strictObject({
      id,
      name: name.optional(),
      description,
      archived: z.boolean().optional(),
    }),
    output: z.object({ contract: contractSchema }),
  },
  getContract: {
    ...readEndpoint,
    path: '/contracts/:id',
    input: z.strictObject({ id }),
    output: z.object({ contract: contractSchema }),
  },
  listContracts: {
    ...readEndpoint,
    path: '/contracts',
    input: z.strictObject({
      blockchain: blockchain.optional(),
      contractInputType: z.enum(['IMPORT', 'BYTECODE', 'TEMPLATE', 'AUTO_IMPORT']).optional(),
      deployerAddress: addressText.optional(),
      name: z.string().optional(),
      status: z.enum(['PENDING', 'FAILED', 'COMPLETE']).optional(),
      ...page,
    }),
    output: z.object({ contracts: z.array(contractSchema) }),
  },
  queryContract: {
    ...readEndpoint,
    method: 'POST',
    rate: 'writes',
    path: '/contracts/query',
    input: z.strictObject({
      address: addressText,
      blockchain,
      ...abiCall,
      abiJson: z.string().optional(),
      callData: z.string().optional(),
      fromAddress: addressText.optional(),
    }),
    output: z.object({
      outputValues: z.array(z.unknown()).optional(),
      outputData: z.string(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
