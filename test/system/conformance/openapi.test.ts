import { readFileSync } from 'node:fs';
import openapiV31 from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { describeApi } from '../../../sandbox/openapi/document';
import { isRecord } from '../../../src/custody/isRecord';
import { inSandbox } from '../../support/sandbox';
import { file, openApiText } from './description/writeOpenApi';
import { lookUp } from './lookUp';

describe('the description of the interface', () => {
  const sandbox = inSandbox();

  it('is served with the address of the sandbox that serves it', async () => {
    const { status, body } = await sandbox.request(
      'GET',
      `${sandbox.origin}/_sandbox/openapi.json`,
    );
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(describeApi(sandbox.origin))));
    expect(body).toMatchObject({ servers: [{ url: sandbox.origin }] });
  });

  it('is the one in docs/openapi.json (npx tsx test/system/conformance/description/writeOpenApi.ts)', () => {
    expect(readFileSync(file, 'utf8')).toBe(openApiText());
  });

  it('is a document of OpenAPI 3.1, by its own schema', () => {
    const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addFormat('media-range', true);
    const validate = ajv.compile(openapiV31);
    const document = JSON.parse(openApiText());
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    expect(validate({ ...document, paths: { '/ping': { get: { responses: 1 } } } })).toBe(false);
  });

  it('has no dangling reference, and no part without a reference to it', () => {
    const document = JSON.parse(openApiText());
    const pointers = new Set(pointersIn(document));
    for (const pointer of pointers) lookUp(document, pointer.slice(2).split('/'));
    const parts = Object.entries(lookUp(document, ['components']))
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) =>
        Object.keys(isRecord(named) ? named : {}).map((name) => `#/components/${kind}/${name}`),
      );
    expect(parts.filter((part) => !pointers.has(part))).toEqual([]);
  });
});

function pointersIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(pointersIn);
  if (!isRecord(part)) return [];
  const own = typeof part.$ref === 'string' ? [part.$ref] : [];
  return [...own, ...Object.values(part).flatMap(pointersIn)];
}
