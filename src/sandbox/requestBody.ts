import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { EndpointName } from '../custody/endpoints';
import { isRecord } from '../custody/isRecord';
import { invalid } from './errors';

/** Endpoints whose fee and amount may come in the client library's form. */
const libraryForms: readonly EndpointName[] = [
  'createTransfer',
  'executeContract',
  'deployTemplate',
];

/**
 * The input of a call: path, query and body in one, and the library's form turned into the wire's.
 */
export function readBody(name: EndpointName, request: FastifyRequest): Record<string, unknown> {
  const body = isRecord(request.body) ? request.body : {};
  const input = {
    ...(isRecord(request.query) ? request.query : {}),
    ...body,
    ...(isRecord(request.params) ? request.params : {}),
  };
  return libraryForms.includes(name) ? fromLibraryForm(name, input) : input;
}

/** The input as its schema reads it; otherwise the refusal that names every faulty field. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => ({
    error: issue.code === 'invalid_type' ? 'required' : 'invalid',
    message: issue.message,
    location: issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
    invalidValue: 'null',
    constraints: {},
  }));
  throw invalid(faults);
}

/** `amount: ["1"]` is `amounts` on the wire, and `fee: {type, config}` is flattened. */
function fromLibraryForm(
  name: EndpointName,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const { fee, amount, ...rest } = input;
  const config = isRecord(fee) && isRecord(fee.config) ? fee.config : {};
  if (amount === undefined) return { ...rest, ...config };
  const isLibraryAmount = name === 'createTransfer' && rest.amounts === undefined;
  return { ...rest, ...config, [isLibraryAmount ? 'amounts' : 'amount']: amount };
}
