import { z } from 'zod';
import { blockchainNames, contractBlockchainNames } from '../objects/blockchain';
import { feeLevels } from '../objects/transaction';

/** One row of the table: how a call travels, and what goes in and comes out. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** ':id' is filled from the input. The rest becomes the query of a GET, or else the body. */
  path: string;
  /** The root of the path: the base URL, or its origin. */
  root: 'base' | 'origin';
  /** A signed call carries `entitySecretCiphertext`. The client makes a new one for each call. */
  signed: boolean;
  /** A write may change something for good, and most carry an idempotency key. */
  write: boolean;
  /** The status of a success. A repeated key is answered with 200 instead of 201. */
  success: 200 | 201 | 204;
  /** Calls of one class share a limit for each second: see docs/parity.md. */
  rate: RateClass;
  input: z.ZodObject;
  /** The content of the envelope: `nothing` without a body, optional where a 204 is possible. */
  output: z.ZodObject | z.ZodArray | z.ZodOptional<z.ZodObject>;
};

/** The output of what is answered with an empty body. */
export const nothing = z.object({});

/** Reads, writes, and the few writes that may come more often. */
export type RateClass = 'reads' | 'writes' | 'frequentWrites';

export type AbiParameter = string | number | boolean | AbiParameter[];

/**
 * The service checks its words against the signature. A look at the whole value comes first, and
 * ends at the first fault. A union would keep four faults of each value inside.
 */
export const abiParameter: z.ZodType<AbiParameter, AbiParameter> = z.preprocess(
  (value: AbiParameter, context) => {
    const path = foreignIn(value);
    const message = 'must be text, a number, true, false, or a list of these';
    if (path !== undefined) context.addIssue({ code: 'custom', path, message });
    return value;
  },
  z.union([z.string(), z.number(), z.boolean(), z.lazy(() => z.array(abiParameter))]),
);

/** The path of the first value that is no parameter. Undefined where there is none. */
function foreignIn(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) {
    return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value) ? undefined : [];
  }
  for (const [at, inner] of value.entries()) {
    const path = foreignIn(inner);
    if (path !== undefined) return [at, ...path];
  }
  return undefined;
}

/** A UUID of any version and variant, since the service takes them all, and in either case. */
const uuid = z
  .guid({ error: ({ code }) => (code === 'invalid_format' ? 'Invalid UUID' : undefined) })
  .toLowerCase();

/** Fields that several endpoints share. */
export const id = uuid;
export const addressText = z.string();
export const idempotencyKeySchema = uuid;
export const refIdSchema = z.string().max(1_000).optional();

/** A chain by the service's own name. */
export const blockchain = oneOf(blockchainNames);
/** A blockchain that contracts can be on. */
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
export function checkSender(context: z.core.ParsePayload<SenderFields>): void {
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

/** A date, or a moment with its offset. Python's SDK leaves out the colon, or all of an offset. */
const moment = z.preprocess(
  (given: string) =>
    String(given)
      .replace(/T[\d:.]+$/, '$&Z')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
);

/** A page of a list. Cursors are ids of items, which the service checks. */
export const page = {
  from: moment.optional(),
  to: moment.optional(),
  pageBefore: z.string().toLowerCase().optional(),
  pageAfter: z.string().toLowerCase().optional(),
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

/** True when a flag says yes. */
export function isYes(given: z.input<typeof flag> | undefined): boolean {
  return ['true', '1'].includes(String(given).toLowerCase());
}

/** Yes lists tokens that are not monitored, too. */
export const includeAll = flag.optional();

/** A wallet of the service, by its id, or by its address and blockchain. */
export const senderFields = {
  walletId: id.optional(),
  walletAddress: addressText.optional(),
  blockchain: blockchain.optional(),
};

export const abiCall = {
  abiFunctionSignature: z.string().min(3).max(1_000).optional(),
  abiParameters: z.array(abiParameter).max(1_000).optional(),
};

/**
 * The offer for gas: a level, or prices and a limit. Prices are decimals of gwei. The service says
 * which of them go together.
 */
export const gas = {
  feeLevel: z.enum(feeLevels).optional(),
  gasLimit: z.string().optional(),
  maxFee: z.string().optional(),
  priorityFee: z.string().optional(),
  gasPrice: z.string().optional(),
};

/** The common fields of all reads. */
export const readEndpoint = {
  method: 'GET',
  root: 'base',
  signed: false,
  write: false,
  success: 200,
  rate: 'reads',
} as const;

/** The common fields of all estimates. They are posted, and change nothing. */
export const estimate = { ...readEndpoint, method: 'POST', rate: 'frequentWrites' } as const;

/** The common fields of all signed writes. */
export const writeEndpoint = {
  method: 'POST',
  root: 'base',
  signed: true,
  write: true,
  success: 201,
  rate: 'writes',
} as const;
