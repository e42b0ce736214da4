import { z } from 'zod';
import { contractSchema } from '../objects/contract';
import { levelEstimatesSchema } from '../objects/transaction';
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
  deployContract: {
    ...write,
    path: '/contracts/deploy',
    input: z.strictObject({
      idempotencyKey,
      name,
      description,
      walletId: id,
      blockchain,
      abiJson: z.string(),
      ...creation,
      ...gas,
      refId,
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
        sourceAddress: address.optional(),
        blockchain: blockchain.optional(),
      })
      .check(isWhole),
    output: levelEstimatesSchema,
  },
  importContract: {
    ...write,
    signed: false,
    path: '/contracts/import',
    input: z.strictObject({
      idempotencyKey,
      name,
      description,
      address,
      blockchain,
      refreshVerification: z.boolean().optional(),
    }),
    output: z.object({ contract: contractSchema }),
  },
  updateContract: {
    ...write,
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
