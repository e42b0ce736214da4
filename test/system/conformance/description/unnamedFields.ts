import { isRecord } from '../../../../src/custody/isRecord';
import { type Json, lookUp } from '../lookUp';

/** A schema, and the document of its references. */
type Described = { root: Json; schema: Json };

/**
 * The fields of a value that its schema does not name. A schema without fields allows all of them.
 * Validation alone would pass every unknown field, even a misspelt one.
 */
export function unnamedFields(described: Described, value: unknown, at = ''): string[] {
  const { root } = described;
  const { properties, items } = shapeOf(described);
  if (Array.isArray(value)) {
    const each = { root, schema: items ?? {} };
    return [...new Set(value.flatMap((item) => unnamedFields(each, item, `${at}/*`)))];
  }
  if (!isRecord(value) || properties.size === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const schema = properties.get(key);
    const place = `${at}/${key}`;
    return schema === undefined ? [place] : unnamedFields({ root, schema }, inner, place);
  });
}

/** The fields that a schema names, by itself and through the schemas it combines. */
function shapeOf({ root, schema }: Described): { properties: Map<string, Json>; items?: Json } {
  if (typeof schema.$ref === 'string') {
    return shapeOf({ root, schema: lookUp(root, schema.$ref.slice(2).split('/')) });
  }
  const parts = [schema.allOf, schema.oneOf, schema.anyOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter(isRecord)
    .map((part) => shapeOf({ root, schema: part }));
  const own = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const named = own.filter((entry): entry is [string, Json] => isRecord(entry[1]));
  const properties = new Map([...parts.flatMap((part) => [...part.properties]), ...named]);
  return isRecord(schema.items) ? { properties, items: schema.items } : { properties };
}
