import { z } from 'zod';
import { orderSchemas, receiptSchemas } from './kinds';
import { lineResult, payoutPart, payoutSeal } from './payout';

type Schema = { additionalProperties?: unknown };

/**
 * The JSON Schema of every order and receipt, by the name of its file: what other languages
 * build their types from. An order's schema is of what a caller writes.
 */
export function jsonSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {};
  for (const [kind, schema] of Object.entries(orderSchemas)) {
    const title = `The order of ${kind}`;
    schemas[`${kind}.order.json`] = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
  }
  for (const [kind, schema] of Object.entries(receiptSchemas)) {
    const title = `What ${kind} leaves behind`;
    schemas[`${kind}.receipt.json`] = { title, ...z.toJSONSchema(schema, { override: open }) };
  }
  for (const [update, schema] of Object.entries({ addLines: payoutPart, seal: payoutSeal })) {
    const title = `What update ${update} of a payout takes`;
    schemas[`payout.${update}.json`] = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
  }
  const title = 'A line of a payout, and what it has come to';
  schemas['payout.line.json'] = { title, ...z.toJSONSchema(lineResult, { override: open }) };
  return schemas;
}

/** A receipt may say more one day. */
function open({ jsonSchema }: { jsonSchema: Schema }): void {
  delete jsonSchema.additionalProperties;
}
