import { z } from 'zod';
import { contractSchema } from './contract';
import { balanceSchema, tokenSchema } from './token';
import { feeLevels, transactionSchema } from './transaction';
import { accountTypes, walletSchema, walletSetSchema } from './wallet';

/** One row of the table: how a call travels, and what goes in and comes out. */
export type Endpoint = {
  method: 'GET' | 'POST';
  /** ':id' is filled from the input; what remains is the query of a GET, the body of a POST. */
  path: string;
  /** Where the path hangs: under the base URL, or directly under its origin. */
  root: 'base' | 'origin';
  /** A signed call carries `entitySecretCiphertext`; the client adds it afresh each time. */
  signed: boolean;
  /** A write may change something for good, and most carry an idempotency key. */
  write: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
};

const id = z.uuid();
const address = z.string();
const idempotencyKey = z.uuid();

/** Amount of one item, kept short by the sandbox, which also checks what its words mean. */
const abiParameter: z.ZodType<AbiParameter, AbiParameter> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.lazy(() => z.array(abiParameter)),
]);
export type AbiParameter = string | number | boolean | AbiParameter[];

const read = { method: 'GET', root: 'base', signed: false, write: false } as const;
const write = { method: 'POST', root: 'base', signed: true, write: true } as const;

const abiCall = {
  abiFunctionSignature: z.string().min(3).max(1_000).optional(),
  abiParameters: z.array(abiParameter).max(1_000).optional(),
};

/**
 * Every endpoint that Steadfast uses, in the hosted service's wire form. The client speaks this
 * table and the sandbox implements it. Paths: service interface, hosted-service facts §2.
 */
export const endpoints = {
  ping: {
    ...read,
    root: 'origin',
    path: '/ping',
    input: z.strictObject({}),
    output: z.object({ message: z.string() }),
  },
  getPublicKey: {
    ...read,
    path: '/config/entity/publicKey',
    input: z.strictObject({}),
    output: z.object({ publicKey: z.string() }),
  },
  createWalletSet: {
    ...write,
    path: '/developer/walletSets',
    input: z.strictObject({ idempotencyKey, name: z.string().max(255).optional() }),
    output: z.object({ walletSet: walletSetSchema }),
  },
  getWalletSet: {
    ...read,
    path: '/walletSets/:id',
    input: z.strictObject({ id }),
    output: z.object({ walletSet: walletSetSchema }),
  },
  createWallets: {
    ...write,
    path: '/developer/wallets',
    input: z.strictObject({
      idempotencyKey,
      walletSetId: id,
      blockchains: z.array(z.string()).min(1).max(20),
      count: z.int().min(1).max(200).optional(),
      accountType: z.enum(accountTypes).optional(),
      metadata: z
        .array(z.strictObject({ name: z.string().optional(), refId: z.string().optional() }))
        .max(200)
        .optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  getWallet: {
    ...read,
    path: '/wallets/:id',
    input: z.strictObject({ id }),
    output: z.object({ wallet: walletSchema }),
  },
  listWallets: {
    ...read,
    path: '/wallets',
    input: z.strictObject({
      address: address.optional(),
      blockchain: z.string().optional(),
      walletSetId: id.optional(),
      refId: z.string().optional(),
      pageSize: z.coerce.number<number | string>().int().min(1).optional(),
      pageAfter: id.optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  listBalances: {
    ...read,
    path: '/wallets/:id/balances',
    input: z.strictObject({
      id,
      tokenAddress: z.string().optional(),
      includeAll: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    }),
    output: z.object({ tokenBalances: z.array(balanceSchema) }),
  },
  getToken: {
    ...read,
    path: '/tokens/:id',
    input: z.strictObject({ id }),
    output: z.object({ token: tokenSchema }),
  },
  requestDrip: {
    ...write,
    root: 'origin',
    path: '/v1/faucet/drips',
    signed: false,
    input: z.strictObject({
      address,
      blockchain: z.string(),
      native: z.boolean().optional(),
      usdc: z.boolean().optional(),
      eurc: z.boolean().optional(),
    }),
    output: z.object({}),
  },
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
      feeLevel: z.enum(feeLevels).optional(),
      refId: z.string().max(1_000).optional(),
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
      feeLevel: z.enum(feeLevels).optional(),
      refId: z.string().max(1_000).optional(),
    }),
    output: z.object({ id: z.string(), state: z.string() }),
  },
  getTransaction: {
    ...read,
    path: '/transactions/:id',
    input: z.strictObject({ id, txType: z.enum(['INBOUND', 'OUTBOUND']).optional() }),
    output: z.object({ transaction: transactionSchema }),
  },
  deployTemplate: {
    ...write,
    path: '/templates/:id/deploy',
    input: z.strictObject({
      id,
      idempotencyKey,
      name: z.string().min(1).max(100),
      description: z.string().optional(),
      walletId: id,
      blockchain: z.string(),
      templateParameters: z.record(z.string(), z.unknown()).optional(),
      feeLevel: z.enum(feeLevels).optional(),
      refId: z.string().max(1_000).optional(),
    }),
    output: z.object({ contractIds: z.array(z.string()).min(1), transactionId: z.string() }),
  },
  getContract: {
    ...read,
    path: '/contracts/:id',
    input: z.strictObject({ id }),
    output: z.object({ contract: contractSchema }),
  },
  queryContract: {
    ...read,
    method: 'POST',
    path: '/contracts/query',
    input: z.strictObject({
      address,
      blockchain: z.string(),
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

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
export type Input<Name extends EndpointName> = z.input<Endpoints[Name]['input']>;
export type Output<Name extends EndpointName> = z.output<Endpoints[Name]['output']>;

export type CallOptions = {
  /** Gives the call up; what was sent by then stays sent. */
  signal?: AbortSignal;
};

/** The custody service as a caller sees it: the client speaks it, the sandbox implements it. */
export type CustodyApi = {
  [Name in EndpointName]: (input: Input<Name>, options?: CallOptions) => Promise<Output<Name>>;
};
