import { isAddress } from 'viem';
import { z } from 'zod';
import { abiParameter } from '../../custody/endpoints/endpoint';
import { isDecimal } from '../../custody/objects/amount';
import { feeLevels } from '../../custody/objects/transaction';
import { issueInWords } from '../../orders/input/words';
import { NotUnderstood } from './effects';

const address = z.string().refine((text) => isAddress(text, { strict: false }), {
  error: 'is not an address',
});
const decimal = z.string().refine(isDecimal, { error: 'is not a plain amount' });
const always = { idempotencyKey: z.guid() };
const gasLimit = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: 'is not an amount of gas' })
  .optional();
const sent = { ...always, feeLevel: z.enum(feeLevels), refId: z.string() };

/**
 * The one form of each signed call that a policy judges. Any other field is refused, such as a
 * second sender or a gas price. Methods that are not here are closed.
 */
export const shapes = {
  createTransfer: z.strictObject({
    ...sent,
    walletAddress: address,
    blockchain: z.string(),
    tokenAddress: z.union([z.literal(''), address]),
    destinationAddress: address,
    amounts: z.tuple([decimal]),
    gasLimit,
  }),
  executeContract: z.strictObject({
    ...sent,
    walletId: z.guid(),
    contractAddress: address,
    abiFunctionSignature: z.string().max(1_000),
    abiParameters: z.array(abiParameter),
    amount: decimal.optional(),
    gasLimit,
  }),
  deployTemplate: z.strictObject({
    ...sent,
    id: z.guid(),
    name: z.string(),
    walletId: z.guid(),
    blockchain: z.string(),
    templateParameters: z.record(z.string(), z.unknown()),
  }),
  createWalletSet: z.strictObject({ ...always, name: z.string() }),
  createWallets: z.strictObject({
    ...always,
    walletSetId: z.guid(),
    blockchains: z.tuple([z.string()]),
    count: z.int().min(1).max(200),
    accountType: z.enum(['EOA', 'SCA']),
    metadata: z.array(z.strictObject({ name: z.string(), refId: z.string() })),
  }),
  // In one spelling, since requests about a transaction are counted by its id.
  cancelTransaction: z.strictObject({ ...always, id: z.guid().toLowerCase() }),
  accelerateTransaction: z.strictObject({ ...always, id: z.guid().toLowerCase() }),
} as const;

type Shapes = typeof shapes;
export type JudgedMethod = keyof Shapes;

/** A signed call whose form is known. */
export type JudgedCall = {
  [Method in JudgedMethod]: { method: Method; input: z.output<Shapes[Method]> };
}[JudgedMethod];

export const judgedMethods: readonly JudgedMethod[] = [
  'createTransfer',
  'executeContract',
  'deployTemplate',
  'createWalletSet',
  'createWallets',
  'cancelTransaction',
  'accelerateTransaction',
];

/** Reads the input of a call. Throws NotUnderstood for any other form. */
export function readCall(method: JudgedMethod, input: unknown): JudgedCall {
  switch (method) {
    case 'createTransfer':
      return { method, input: parse(shapes.createTransfer, input) };
    case 'executeContract':
      return { method, input: parse(shapes.executeContract, input) };
    case 'deployTemplate':
      return { method, input: parse(shapes.deployTemplate, input) };
    case 'createWalletSet':
      return { method, input: parse(shapes.createWalletSet, input) };
    case 'createWallets':
      return { method, input: parse(shapes.createWallets, input) };
    default:
      return { method, input: parse(shapes[method], input) };
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: issueInWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new NotUnderstood(`${issue.keys.join(', ')} has no place in a call that is judged.`);
  }
  throw new NotUnderstood(`${issue?.path.join('.') ?? 'The call'} ${issue?.message ?? ''}.`);
}
