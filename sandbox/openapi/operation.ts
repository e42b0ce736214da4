import { z } from 'zod';
import type { Endpoint } from '../../src/custody/endpoints';
import { nothing } from '../../src/custody/endpoints/endpoint';
import { isRecord } from '../../src/custody/isRecord';
import { openEndpoints } from '../http/carryOut';
import type { Json, Schemas } from './schemas';

type Described = { name: string; endpoint: Endpoint; schemas: Schemas };

/** One row of the table as an operation of OpenAPI 3.1. */
export function describeOperation(described: Described): Json {
  const { name, endpoint } = described;
  const { parameters, body } = describeInput(described);
  return {
    operationId: name,
    summary: inWords(name),
    tags: [tagOf(endpoint)],
    ...(openEndpoints.includes(name) ? { security: [] } : {}),
    parameters: [...parameters, { $ref: '#/components/parameters/RequestId' }],
    ...(body === undefined
      ? {}
      : { requestBody: { required: !takesNothing(body), content: json(body) } }),
    responses: describeAnswers(described),
  };
}

/** `createWalletSet` is "Create wallet set". */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The part of the service that a path belongs to. */
function tagOf({ path }: Endpoint): string {
  if (/^\/(contracts|templates)/.test(path)) return 'Contracts';
  if (/^\/v2\/notifications/.test(path)) return 'Notifications';
  if (/^\/developer\/sign\//.test(path)) return 'Signing';
  if (/transactions/.test(path)) return 'Transactions';
  if (/^\/(ping|config)/.test(path)) return 'Configuration';
  return 'Wallets';
}

/** Divides the input into parameters of path and query, and the body. */
function describeInput({ endpoint, schemas }: Described): { parameters: Json[]; body?: Json } {
  const { properties, required, ...rest } = schemas.describe(endpoint.input, 'input');
  const fields = Object.entries(isRecord(properties) ? properties : {});
  const isInPath = (field: string) => endpoint.path.includes(`/:${field}`);
  const isNeeded = (field: string) => Array.isArray(required) && required.includes(field);
  const parameters = fields
    .filter(([field]) => isInPath(field) || endpoint.method === 'GET')
    .map(([field, schema]) => ({
      name: field,
      in: isInPath(field) ? 'path' : 'query',
      required: isInPath(field) || isNeeded(field),
      schema,
    }));
  const inBody = fields.filter(([field]) => !isInPath(field));
  if (endpoint.method === 'GET' || (inBody.length === 0 && !endpoint.signed)) return { parameters };
  const body = {
    ...rest,
    properties: { ...Object.fromEntries(inBody), ...(endpoint.signed ? signature : {}) },
    required: [
      ...inBody.map(([field]) => field).filter(isNeeded),
      ...(endpoint.signed ? Object.keys(signature) : []),
    ],
  };
  return { parameters, body };
}

/** The field that every signed call has besides its own. */
const signature = {
  entitySecretCiphertext: { $ref: '#/components/schemas/EntitySecretCiphertext' },
};

function describeAnswers({ name, endpoint, schemas }: Described): Json {
  const { success, output, input } = endpoint;
  const data = schemas.describe(output, 'output');
  const envelope = { type: 'object', properties: { data }, required: ['data'] };
  const content = json(openEndpoints.includes(name) ? data : envelope);
  const headers = {
    ...requestId,
    ...('pageAfter' in input.shape ? { Link: { $ref: '#/components/headers/Link' } } : {}),
  };
  const answer = output === nothing ? { headers } : { headers, content };
  return {
    ...(success === 201 ? { 200: { description: 'It was there already.', ...answer } } : {}),
    ...(output instanceof z.ZodOptional
      ? { 204: { description: 'There is none.', headers: requestId } }
      : {}),
    [success]: { description: success === 201 ? 'Created.' : 'Done.', ...answer },
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Refused' },
  };
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function takesNothing({ required }: Json): boolean {
  return Array.isArray(required) && required.length === 0;
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}
