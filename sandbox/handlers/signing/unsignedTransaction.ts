import {
  type Address,
  assertTransactionEIP1559,
  assertTransactionEIP2930,
  assertTransactionLegacy,
  BaseError,
  isAddressEqual,
  isHex,
  maxUint64,
  maxUint256,
  parseTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializableEIP2930,
  type TransactionSerializableLegacy,
} from 'viem';
import { z } from 'zod';
import { fault } from '../../errors/errors';
import { readJson } from '../json';
import { isAddressValue } from './typedValue';

/** The kinds of transactions that are signed: those without blobs and delegations. */
export type UnsignedTransaction =
  | (TransactionSerializableLegacy & { type: 'legacy' })
  | (TransactionSerializableEIP2930 & { type: 'eip2930' })
  | (TransactionSerializableEIP1559 & { type: 'eip1559' });

type Given = { rawTransaction?: string | undefined; transaction?: string | undefined };

/** The main networks that the service names. A test key signs nothing for them. */
const mainnetIds = [1, 10, 130, 137, 143, 5042, 8453, 42_161, 43_114];

/**
 * The transaction that a request wants signed: raw hex, or fields as JSON. Refuses one that says
 * less than a transaction has to, is of another sender, or is signed already.
 */
export function readUnsigned(given: Given, from: Address): UnsignedTransaction {
  const { rawTransaction, transaction } = given;
  if (rawTransaction !== undefined && transaction !== undefined) {
    throw invalid('give either transaction or rawTransaction, not both');
  }
  if (rawTransaction !== undefined) return checked(fromRaw(rawTransaction));
  if (transaction !== undefined) return checked(fromJson(transaction, from));
  throw invalid('either transaction or rawTransaction is required');
}

function fromRaw(text: string): UnsignedTransaction {
  const parsed = parseRaw(text);
  if (parsed.r !== undefined) throw fault('alreadySigned');
  if (parsed.type === 'legacy') return { ...parsed, type: parsed.type };
  if (parsed.type === 'eip2930') return { ...parsed, type: parsed.type };
  if (parsed.type === 'eip1559') return { ...parsed, type: parsed.type };
  throw invalid(`transactions of type ${parsed.type} are not signed`);
}

function parseRaw(text: string) {
  if (!isHex(text)) throw fault('notDeserialized');
  try {
    return parseTransaction(text);
  } catch {
    throw fault('notDeserialized');
  }
}

const quantity = z
  .union([z.int().min(0), z.string().regex(/^(0x[0-9a-fA-F]+|\d+)$/)])
  .transform((value) => BigInt(value))
  .refine((value) => value <= maxUint256, { error: 'Too large for 256 bits' });
const smallNumber = quantity.refine((value) => value <= Number.MAX_SAFE_INTEGER).transform(Number);
const address = z.custom<Address>(isAddressValue);
const bytes = z.custom<`0x${string}`>((value) => isHex(value) && value.length % 2 === 0);

const word = z.custom<`0x${string}`>((value) => isHex(value) && value.length === 66);

/** As JSON-RPC has them, and with decimals too. */
const fieldsSchema = z.strictObject({
  type: smallNumber.optional(),
  from: address.optional(),
  to: address.nullish(),
  nonce: smallNumber,
  value: quantity.optional(),
  data: bytes.optional(),
  input: bytes.optional(),
  gas: quantity.refine((value) => value <= maxUint64, { error: 'Too large for 64 bits' }),
  gasPrice: quantity.optional(),
  maxFeePerGas: quantity.optional(),
  maxPriorityFeePerGas: quantity.optional(),
  accessList: z.array(z.object({ address, storageKeys: z.array(word) })).optional(),
  chainId: smallNumber.optional(),
});

function fromJson(text: string, from: Address): UnsignedTransaction {
  const given = readJson(text, () => invalid('transaction is not JSON'));
  const parsed = fieldsSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { from: named = from, type, input, data = input, ...fields } = parsed.data;
  if (!isAddressEqual(named, from)) throw fault('otherSigner');
  if (input !== undefined && data !== input) throw invalid('data and input differ');
  const { chainId = 0, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...rest } = fields;
  const shared = { ...rest, data, chainId };
  if (gasPrice === undefined) {
    if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) throw noFees();
    return ofType(type, { type: 'eip1559', ...shared, maxFeePerGas, maxPriorityFeePerGas });
  }
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) throw noFees();
  const { accessList, ...plain } = shared;
  if (accessList === undefined && type !== 1) {
    return ofType(type, { type: 'legacy', ...plain, gasPrice });
  }
  return ofType(type, { type: 'eip2930', ...shared, gasPrice });
}

const typeNumbers = { legacy: 0, eip2930: 1, eip1559: 2 } as const;

/** The fees say of which type it is. Where the request says it too, they have to agree. */
function ofType(type: number | undefined, transaction: UnsignedTransaction): UnsignedTransaction {
  const told = typeNumbers[transaction.type];
  if (type === undefined || type === told) return transaction;
  throw invalid(`type is ${type}, but its fees are those of type ${told}`);
}

function checked(transaction: UnsignedTransaction): UnsignedTransaction {
  const { chainId } = transaction;
  if (chainId === undefined || chainId === 0) throw fault('noChainId');
  if (mainnetIds.includes(chainId)) throw fault('otherChainId', 'wallets', String(chainId));
  try {
    if (transaction.type === 'eip1559') assertTransactionEIP1559(transaction);
    else if (transaction.type === 'eip2930') assertTransactionEIP2930(transaction);
    else assertTransactionLegacy(transaction);
  } catch (error) {
    throw error instanceof BaseError ? invalid(error.shortMessage) : error;
  }
  return transaction;
}

function noFees() {
  return invalid('give either gasPrice, or maxFeePerGas and maxPriorityFeePerGas');
}

function invalid(detail: string) {
  return fault('transactionInvalid', 'wallets', detail);
}
