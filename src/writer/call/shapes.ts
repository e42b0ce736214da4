import { z } from 'zod';
import { abiParameter } from '../../custody/endpoints/endpoint';
import { isDecimal } from '../../custody/objects/amount';
import { feeLevels } from '../../custody/objects/transaction';
import { hasAddressForm } from '../../orders/input/fields';
import { orderBytesMax, refuseOversize } from '../../orders/input/read';
import { shownField } from '../../orders/input/shown';
import { issueInWords } from '../../orders/input/words';
import { NotUnderstood, understood } from './effects';

/** The largest order, and what its call has beside it: the key, the reference, the network. */
const callBytesMax = orderBytesMax + 10_000;

/** Number of foreign fields that a refusal names. */
const toldMax = 10;

const name = z.string().max(100);
const blockchain = z.string().max(100);

/** An address with any checksum. Nothing is kept of a text that is none, however long it is. */
const address = z.string().refine(hasAddressForm, { error: 'is not an address' });
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
    blockchain,
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
    abiParameters: z.array(abiParameter).max(1_000),
    amount: decimal.optional(),
    gasLimit,
  }),
  deployTemplate: z.strictObject({
    ...sent,
    id: z.guid(),
    name,
    walletId: z.guid(),
    blockchain,
    templateParameters: z.record(z.string(), z.unknown()),
  }),
  createWalletSet: z.strictObject({ ...always, name }),
  createWallets: z.strictObject({
    ...always,
    walletSetId: z.guid(),
    blockchains: z.tuple([blockchain]),
    count: z.int().min(1).max(200),
    accountType: z.enum(['EOA', 'SCA']),
    metadata: z.array(z.strictObject({ name, refId: z.string() })).max(200),
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
  understood(() => refuseOversize(input, 'The call', callBytesMax));
  const parsed = schema.safeParse(input, { error: issueInWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const told = issue.keys.slice(0, toldMax).map((key) => shownField([key]));
    const more = issue.keys.length - told.length;
    const fields = `${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const have = issue.keys.length === 1 ? 'has' : 'have';
    throw new NotUnderstood(`${fields} ${have} no place in a call that is judged.`);
  }
  throw new NotUnderstood(`${issue?.path.join('.') ?? 'The call'} ${issue?.message ?? ''}.`);
}
