import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Endpoint, type EndpointName, endpoints } from '../../src/custody/endpoints';
import { isRecord } from '../../src/custody/isRecord';
import { fault, invalid, sideOf } from '../errors/errors';
import { invalidField, parseInput, unknownField } from '../errors/fieldFaults';

/** Endpoints whose fee and amount may come in the client library's form. */
const libraryForms: readonly EndpointName[] = [
  'createTransfer',
  'executeContract',
  'deployTemplate',
  'deployContract',
];

/** The fields of a call, once each of them is valid. */
export type Reading = { input: Record<string, unknown>; entitySecretCiphertext: unknown };

/**
 * The input of a call: what its path says, and its query if it is a GET, else its body. A field at
 * the wrong one of these places is unknown there. Throws the refusal that names every faulty field.
 */
export function readInput(name: EndpointName, request: FastifyRequest): Reading {
  const endpoint: Endpoint = endpoints[name];
  const params = isRecord(request.params) ? request.params : {};
  const query = isRecord(request.query) ? request.query : {};
  const isRead = endpoint.method === 'GET';
  if (endpoint.path.includes('/:id') && !z.guid().safeParse(params.id).success) {
    throw fault('idIsNoUuid', sideOf(endpoint));
  }
  if (!isRead) refuseFields(query, Object.keys(query));
  const fields = isRead ? query : readBody(request.body);
  refuseFields(
    fields,
    Object.keys(params).filter((key) => Object.hasOwn(fields, key)),
  );
  const { entitySecretCiphertext, ...unsigned } = fields;
  if (endpoint.signed && entitySecretCiphertext === undefined) {
    const field = 'entitySecretCiphertext';
    throw invalidField(fields, field, `${field} is required`);
  }
  const given = endpoint.signed ? unsigned : fields;
  const wire = libraryForms.includes(name)
    ? fromLibraryForm(name, withAbiJson(name, given))
    : given;
  return { input: parseInput(endpoint.input, { ...wire, ...params }), entitySecretCiphertext };
}

function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  return parseInput(z.record(z.string(), z.unknown()), body);
}

function refuseFields(fields: Record<string, unknown>, names: readonly string[]): void {
  if (names.length > 0) throw invalid(names.slice(0, 50).map((key) => unknownField(fields, [key])));
}

const given = z.string().optional();

/** As the client library takes a fee. Every field of `config` is one of the wire. */
const libraryFee = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('level'),
    config: z.strictObject({ feeLevel: given, gasLimit: given }),
  }),
  z.strictObject({
    type: z.literal('absolute'),
    config: z.strictObject({ gasLimit: given, maxFee: given, priorityFee: given }),
  }),
  z.strictObject({
    type: z.literal('gas'),
    config: z.strictObject({ gasLimit: given, gasPrice: given }),
  }),
]);

/** The vendor's guide to bytecode spells `abiJson` so. */
function withAbiJson(name: EndpointName, input: Record<string, unknown>): Record<string, unknown> {
  const { abiJSON, ...rest } = input;
  const isSpelt = name === 'deployContract' && abiJSON !== undefined && rest.abiJson === undefined;
  return isSpelt ? { ...rest, abiJson: abiJSON } : input;
}

/**
 * `amount: ["1"]` is `amounts` on the wire, and `fee: {type, config}` is flattened. What is in
 * neither form stays as it is, for the schema to refuse.
 */
function fromLibraryForm(
  name: EndpointName,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const { amount, ...others } = input;
  const isLibraryAmount =
    name === 'createTransfer' && amount !== undefined && others.amounts === undefined;
  const { fee, ...rest } = isLibraryAmount ? { ...others, amounts: amount } : input;
  if (fee === undefined) return rest;
  const parsed = libraryFee.safeParse(fee);
  const config = parsed.success ? parsed.data.config : {};
  const isTwice = Object.keys(config).some((key) => rest[key] !== undefined);
  return parsed.success && !isTwice ? { ...rest, ...config } : { ...rest, fee };
}
