import { type Endpoint, endpoints } from '../../src/custody/endpoints';
import { basePath, endpointPath } from '../http/server';
import { describeOperation } from './operation';
import { createSchemas, type Json } from './schemas';

/** Words that cannot be read off the table. */
const introduction =
  'What this sandbox serves, generated from the table of endpoints that its client, its server and ' +
  'its conformance suite share. It is the hosted service’s wire form. Transfers, executions and ' +
  'deployments may come in the form of the client libraries as well (`amount`, `fee`).';

/** The whole interface as an OpenAPI 3.1 document, for a sandbox that is served at `origin`. */
export function describeApi(origin: string): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = endpointPath(endpoint).replace(/:(\w+)/g, '{$1}');
    const operation = describeOperation({ name, endpoint, schemas });
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Steadfast sandbox', version: 'v1', description: introduction },
    servers: [{ url: origin }],
    security: [{ apiKey: [] }],
    paths,
    components: { ...shared, schemas: { ...common, ...schemas.components() } },
  };
}

const text = { type: 'string' };

const common = {
  EntitySecretCiphertext: {
    type: 'string',
    contentEncoding: 'base64',
    description:
      'The entity secret, encrypted with RSA-OAEP and SHA-256 for the key of ' +
      `GET ${basePath}/config/entity/publicKey, afresh for each call.`,
  },
  Error: {
    type: 'object',
    properties: {
      code: { type: 'integer' },
      message: text,
      errors: {
        type: 'array',
        description: 'The faulty fields, with code 2.',
        items: {
          type: 'object',
          properties: {
            error: text,
            message: text,
            location: text,
            invalidValue: text,
            constraints: { type: 'object' },
          },
          required: ['error', 'message', 'location', 'invalidValue', 'constraints'],
          additionalProperties: false,
        },
      },
    },
    required: ['code', 'message'],
    additionalProperties: false,
  },
};

const requestId = {
  description: 'What the call is known by, in the answer too.',
  schema: text,
};

const shared = {
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'TEST_API_KEY:<id>:<secret>' },
  },
  parameters: { RequestId: { name: 'X-Request-Id', in: 'header', ...requestId } },
  headers: {
    RequestId: { required: true, ...requestId },
    Link: {
      description: 'The pages beside this one: self, first, next, prev.',
      required: true,
      schema: text,
    },
  },
  responses: {
    Refused: {
      description: 'Refused, or failed: a code, and a sentence.',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  },
};
