import { z } from 'zod';
import { blockchainNames, contractBlockchainNames } from '../blockchain';
import { feeLevels } from '../transaction';

/** One row of the table: how a call travels, and what goes in and comes out. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** ':id' is filled from the input; what remains is the query of a GET, the body of the rest. */
  path: string;
  /** Where the path hangs: under the base URL, or directly under its origin. */
  root: 'base' | 'origin';
  /** A signed call carries `entitySecretCiphertext`; the client adds it afresh each time. */
  signed: boolean;
  /** A write may change something for good, and most carry an idempotency key. */
  write: boolean;
  /** The status of a success; a repeated key is answered with 200 where this is 201. */
  success: 200 | 201 | 204;
  /** Calls of one class share a limit for each second (hosted-service facts §4). */
  rate: RateClass;
  input: z.ZodObject;
  /** What is in the envelope; `nothing` without a body, optional where there may be none (204). */
  output: z.ZodObject | z.ZodArray | z.ZodOptional<z.ZodObject>;
};

/** The output of what is answered with an empty body. */
export const nothing = z.object({});

/** Reads, writes, and the few writes that may come more often. */
export type RateClass = 'reads' | 'writes' | 'frequentWrites';

export type AbiParameter = string | number | boolean | AbiParameter[];

/** What its words mean is for the service to check, against the signature. */
export const abiParameter: z.ZodType<AbiParameter, AbiParameter> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.lazy(() => z.array(abiParameter)),
]);

/** Any version and variant counts (hosted-service facts §11.2). */
const uuid = z.guid({
  error: ({ code }) => (code === 'invalid_format' ? 'Invalid UUID' : undefined),
});

/** Fields that several endpoints share. */
export const id = uuid;
export const address = z.string();
export const idempotencyKey = uuid;
export const refId = z.string().max(1_000).optional();

/** A chain by the service's own name. */
export const blockchain = oneOf(blockchainNames);
/** One that contracts can be on. */
export const contractBlockchain = oneOf(contractBlockchainNames);

function oneOf(names: readonly string[]) {
  return z.string().refine((name) => names.includes(name), { error: 'Unknown blockchain' });
}

type SenderFields = {
  walletId?: string | undefined;
  walletAddress?: string | undefined;
  sourceAddress?: string | undefined;
  blockchain?: string | undefined;
};

/**
 * Names a sender, and with an address its chain. A token's address needs none beside a wallet's id:
 * the vendor's SDK has no place for it there.
 */
export function isWhole(context: z.core.ParsePayload<SenderFields>): void {
  const { walletId, walletAddress, sourceAddress, blockchain } = context.value;
  const address = walletAddress ?? sourceAddress;
  const lack = (field: keyof SenderFields, message: string): void => {
    const path = [field];
    context.issues.push({ code: 'custom', input: context.value, path, message });
  };
  if (walletId === undefined && address === undefined) {
    lack('walletId', 'A wallet or an address to send from is required');
  }
  if (blockchain === undefined && address !== undefined) {
    lack('blockchain', 'An address to send from needs its blockchain');
  }
}

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Which page of a list. Cursors are ids of items, for the service to look at. */
export const page = {
  from: moment.optional(),
  to: moment.optional(),
  pageBefore: z.string().optional(),
  pageAfter: z.string().optional(),
  pageSize: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1))
    .optional(),
};
export const order = z.enum(['ASC', 'DESC']).optional();

/** Yes and no in every form that clients write into a query: Python's own words among them. */
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', 'True', 'False', 'TRUE', 'FALSE', '1', '0']),
]);

/** Whether a flag says yes. */
export function isYes(given: z.input<typeof flag> | undefined): boolean {
  return ['true', '1'].includes(String(given).toLowerCase());
}

/** Whether tokens that are not monitored are listed too. */
export const includeAll = flag.optional();

export const abiCall = {
  abiFunctionSignature: z.string().min(3).max(1_000).optional(),
  abiParameters: z.array(abiParameter).max(1_000).optional(),
};

/**
 * What is offered for gas: a level, or prices and a limit. Prices are decimals of gwei. Which of
 * them go together is for the service to say (hosted-service facts §2, "gas").
 */
export const gas = {
  feeLevel: z.enum(feeLevels).optional(),
  gasLimit: z.string().optional(),
  maxFee: z.string().optional(),
  priorityFee: z.string().optional(),
  gasPrice: z.string().optional(),
};

/** What all reads have in common. */
export const read = {
  method: 'GET',
  root: 'base',
  signed: false,
  write: false,
  success: 200,
  rate: 'reads',
} as const;

/** What all estimates have in common: they are posted, and change nothing. */
export const estimate = { ...read, method: 'POST', rate: 'frequentWrites' } as const;

/** What all signed writes have in common. */
export const write = {
  method: 'POST',
  root: 'base',
  signed: true,
  write: true,
  success: 201,
  rate: 'writes',
} as const;
