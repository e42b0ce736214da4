import { BaseError, hashTypedData } from 'viem';
import { z } from 'zod';
import { isRecord } from '../../../src/custody/isRecord';
import { fault } from '../../errors/errors';
import { isDeeper, readJson } from '../json';
import { isSignable, valueFault } from './typedValue';

const record = z.record(z.string(), z.unknown());
/** Longer than any name in use, and with room for the lists of lists of a type. */
const word = z.string().max(200);
const typedDataSchema = z.object({
  types: z.record(z.string(), z.array(z.object({ name: word, type: word }))),
  primaryType: z.string(),
  domain: record,
  message: record,
});
type TypedData = z.output<typeof typedDataSchema>;
type Types = TypedData['types'];

const domainType = 'EIP712Domain';
const reasonCharactersMax = 200;
/** The most fields and elements that are hashed. These many take a few seconds. */
const hashedMax = 100_000;

/**
 * The typed structured data of EIP-712 that a JSON text holds. Refuses what cannot be hashed, and
 * what would be signed without a part of it: a field that its type does not have.
 */
export function readTypedData(text: string): TypedData {
  const given = readJson(text, () => fault('notJson'));
  if (isDeeper(given)) throw invalid('it is too deep');
  const parsed = typedDataSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid([...(issue?.path ?? []), issue?.message].join(': '));
  }
  const { types, primaryType, domain, message } = parsed.data;
  const fieldCount = Object.values(types).reduce((sum, fields) => sum + fields.length, 0);
  if (hashedIn([domain, message], fieldCount) > hashedMax) throw invalid('it is too large');
  requireFit(types, { type: domainType, value: domain, at: 'domain' });
  requireFit(types, { type: primaryType, value: message, at: 'message' });
  try {
    hashTypedData(parsed.data);
  } catch (error) {
    throw invalid(reasonOf(error));
  }
  return parsed.data;
}

/** Each element of a list is hashed, and each object with all fields that its type refers to. */
function hashedIn(value: unknown, fieldCount: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : fieldCount;
  return Object.values(value).reduce(
    (sum: number, inner) => sum + hashedIn(inner, fieldCount),
    own,
  );
}

type Part = { type: string; value: unknown; at: string };

/** The value has what its type says and no more. */
function requireFit(types: Types, { type, value, at }: Part): void {
  const [, element, length = ''] = type.match(/^(.*)\[(\d*)\]$/) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value)) throw invalid(`${at} is no list`);
    if (length !== '' && value.length !== Number(length)) throw invalid(`${at} is no ${type}`);
    requireType(types, { type: element, at });
    value.forEach((one: unknown, index) => {
      requireFit(types, { type: element, value: one, at: `${at}.${index}` });
    });
    return;
  }
  const fields = Object.hasOwn(types, type) ? types[type] : undefined;
  if (fields !== undefined) requireFields(types, { fields, value, at });
  else if (at === 'domain' || at === 'message') throw invalid(`types has no ${type}`);
  else {
    const wrong = valueFault(type, value);
    if (wrong !== undefined) throw invalid(`${at} ${wrong}`);
  }
}

/** Also where a list has no element that would show it. */
function requireType(types: Types, { type, at }: Omit<Part, 'value'>): void {
  const [, base = type] = /^([^[\]]+)(?:\[\d*\])*$/.exec(type) ?? [];
  if (isSignable(base) || Object.hasOwn(types, base)) return;
  throw invalid(`${at}: types has no ${base}`);
}

type Struct = { fields: Types[string]; value: unknown; at: string };

function requireFields(types: Types, { fields, value, at }: Struct): void {
  if (!isRecord(value)) throw invalid(`${at} is no object`);
  const names = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(value)) {
    if (!names.has(name)) throw invalid(`${at}.${name} has no type`);
  }
  for (const { name, type } of fields) {
    requireFit(types, { type, value: value[name], at: `${at}.${name}` });
  }
}

function invalid(detail: string) {
  return fault('typedDataInvalid', 'wallets', detail);
}

/** It may repeat a value, which may be long. */
function reasonOf(error: unknown): string {
  const words = error instanceof BaseError ? error.shortMessage : String(error);
  return words.slice(0, reasonCharactersMax);
}
