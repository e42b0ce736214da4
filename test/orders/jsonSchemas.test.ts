import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { jsonSchemas } from '../../src/orders/jsonSchemas';
import { transferOrder, transferRecord } from '../support/service/scriptedCustody';
import { folder, schemaFiles } from './writeSchemas';

describe('the JSON Schemas in docs/schemas', () => {
  it('are those of the orders and receipts as they are now (npx tsx test/orders/writeSchemas.ts)', () => {
    const written = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    expect(written).toEqual(schemaFiles());
  });

  const ajv = addFormats(new Ajv2020({ strict: true, allErrors: true }));
  const schemas = jsonSchemas();

  it.each(Object.entries(schemas))('are schemas that a strict validator takes: %s', (_, schema) => {
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  it('take an order, and refuse one with a field too many or a wrong address', () => {
    const validate = ajv.compile(schemas['transferStablecoin.order.json'] ?? false);
    expect(validate(transferOrder)).toBe(true);
    expect(validate({ ...transferOrder, memo: 'x' })).toBe(false);
    expect(validate({ ...transferOrder, to: '0x12' })).toBe(false);
    expect(validate(transferRecord())).toBe(false);
  });
});
