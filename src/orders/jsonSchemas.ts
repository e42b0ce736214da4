import { z } from 'zod';
import { kinds } from './kinds';
import { lineResult, payoutPart, payoutSeal } from './payout';

type Schema = { additionalProperties?: unknown };

/**
 * The JSON Schema of every order and receipt, by file name. Other languages build their types from
 * it. An order's schema describes what a caller writes.
 */
export function jsonSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {};
  for (const [kind, { order, receipt, example }] of Object.entries(kinds)) {
    const title = `The order of ${kind}`;
    const input = z.toJSONSchema(order, { io: 'input' });
    schemas[`${kind}.order.json`] = { title, ...input, examples: [example] };
    const result = z.toJSONSchema(receipt, { override: open });
    schemas[`${kind}.receipt.json`] = { title: `The receipt of ${kind}`, ...result };
  }
  for (const [update, schema] of Object.entries({ addLines: payoutPart, seal: payoutSeal })) {
    const title = `What update ${update} of a payout takes`;
    schemas[`payout.${update}.json`] = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
  }
  const title = 'A line of a payout, and what it has come to';
  schemas['payout.line.json'] = { title, ...z.toJSONSchema(lineResult, { override: open }) };
  return schemas;
}

/** Lets later receipts have more fields. */
function open({ jsonSchema }: { jsonSchema: Schema }): void {
  delete jsonSchema.additionalProperties;
}
