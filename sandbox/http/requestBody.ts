import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Endpoint, type EndpointName, endpoints } from '../../src/custody/endpoints';
import { isRecord } from '../../src/custody/isRecord';
import type { Settings } from '../config/settings';
import { type ApiError, fault, invalid, sideOf } from '../errors/errors';
import { invalidField, parseInput, unknownField } from '../errors/fieldFaults';
import { inOwnCase, parseKnown, withoutNulls } from './lenient';

/** Endpoints whose fee and amount may come in the client library's form. */
const libraryForms: readonly EndpointName[] = [
  'createTransfer',
  'executeContract',
  'deployTemplate',
  'deployContract',
];

/** Fields of bodies that no schema names. They are read before it. */
const otherNames = ['entitySecretCiphertext', 'amount', 'fee', 'abiJSON'];

/** The fields of a call, once each of them is valid. */
type Reading = {
  input: Record<string, unknown>;
  entitySecretCiphertext: unknown;
  /** The names of fields that the interface does not have. */
  ignored: readonly string[];
};

/**
 * The input of a call: what its path says, and its query if it is a GET, else its body. A field at
 * the wrong one of these places is unknown there. Lenient as the hosted service, it ignores unknown
 * fields, reads null as absent, and knows the fields of a body in any case of letters. Throws the
 * refusal that names every faulty field.
 */
export function readInput(
  name: EndpointName,
  request: FastifyRequest,
  { fields: manner }: Pick<Settings, 'fields'>,
): Reading {
  const isStrict = manner === 'strict';
  const endpoint: Endpoint = endpoints[name];
  const { params, query, isRead } = partsOf(endpoint, request);
  const body = isRead ? query : readBody(request.body);
  const fields = isStrict || isRead ? body : leniently(endpoint, body);
  const misplaced = isRead ? [] : Object.keys(query);
  const inPath = Object.keys(params).filter((key) => Object.hasOwn(fields, key));
  if (isStrict) refuseFields(query, misplaced);
  if (isStrict) refuseFields(fields, inPath);
  const { entitySecretCiphertext, ...unsigned } = fields;
  if (endpoint.signed && entitySecretCiphertext === undefined) throw noCiphertext(fields);
  const wire = toWire(name, endpoint.signed ? unsigned : fields);
  const whole = { ...wire, ...params };
  if (isStrict) {
    return { input: parseInput(endpoint.input, whole), entitySecretCiphertext, ignored: [] };
  }
  // A fee in a form that is unknown is refused. Without it, the call would pay another one.
  if (libraryForms.includes(name)) refuseFields(wire, Object.hasOwn(wire, 'fee') ? ['fee'] : []);
  const { input, ignored } = parseKnown(endpoint.input, whole);
  return { input, entitySecretCiphertext, ignored: [...misplaced, ...inPath, ...ignored] };
}

/** A body without its nulls, and with the endpoint's own names for its fields. */
function leniently(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  return inOwnCase(withoutNulls(body), [...namesOf(endpoint), ...otherNames]);
}

/** The names of an endpoint's own fields. */
function namesOf({ input }: Endpoint): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : [];
}

function partsOf(endpoint: Endpoint, request: FastifyRequest) {
  const params = isRecord(request.params) ? request.params : {};
  const query = isRecord(request.query) ? request.query : {};
  if (endpoint.path.includes('/:id') && !z.guid().safeParse(params.id).success) {
    throw fault('idIsNoUuid', sideOf(endpoint));
  }
  return { params, query, isRead: endpoint.method === 'GET' };
}

function noCiphertext(fields: Record<string, unknown>): ApiError {
  const field = 'entitySecretCiphertext';
  return invalidField(fields, field, `${field} is required`);
}

function toWire(name: EndpointName, given: Record<string, unknown>): Record<string, unknown> {
  return libraryForms.includes(name) ? fromLibraryForm(name, withAbiJson(name, given)) : given;
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
