import type { Table } from './tables';

/** As much of a JSON Schema as our orders have. */
export type Schema = {
  type?: string;
  const?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | false;
  $ref?: string;
  $defs?: Record<string, Schema>;
};

/** A field that must have been tried: left out, where it is required, and with another type. */
type Demand = { path: string; types: string[]; isRequired: boolean };

/** The fields of a schema that a table does not try, each as a sentence. */
export function untried(schema: Schema, fields: Table['fields'], under = ''): string[] {
  return demandsOf(schema, schema, under).flatMap(({ path, types, isRequired }) => {
    const values = fields[path] ?? [];
    const isOfOther = (value: unknown) => value !== undefined && !types.includes(typeOf(value));
    return [
      ...(isRequired && !values.includes(undefined) ? [`${path} is never left out.`] : []),
      ...(values.some(isOfOther) ? [] : [`${path} never has another type than its own.`]),
    ];
  });
}

function demandsOf(root: Schema, schema: Schema, path: string): Demand[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const isRequired = schema.required?.includes(key) === true;
    return demandsAt(root, field, { path: `${path}${key}`, isRequired });
  });
  const forms = (schema.anyOf ?? []).flatMap((form) => demandsOf(root, form, path));
  return [...fields, ...forms, ...demandsWithin(root, schema, path)];
}

/** Lists are tried in their first entry, and what has keys of any name in the one that is usual. */
function demandsWithin(root: Schema, schema: Schema, path: string): Demand[] {
  const { items, additionalProperties: entry } = schema;
  if (items !== undefined) return demandsAt(root, items, { path: `${path}0`, isRequired: false });
  if (entry === undefined || entry === false || entry.type === undefined) return [];
  const key = path.startsWith('generations') ? 'transfer/1' : 'USDC';
  return demandsAt(root, entry, { path: `${path}${key}`, isRequired: false });
}

function demandsAt(root: Schema, field: Schema, at: Omit<Demand, 'types'>): Demand[] {
  const demand = { ...at, types: typesOf(root, field) };
  return [demand, ...demandsOf(root, field, `${at.path}.`)];
}

function typesOf(root: Schema, schema: Schema): string[] {
  const { type, anyOf, $ref } = schema;
  if ($ref !== undefined) return typesOf(root, root.$defs?.[$ref.split('/').at(-1) ?? ''] ?? {});
  if (anyOf !== undefined) return anyOf.flatMap((form) => typesOf(root, form));
  if (type === undefined) throw new Error(`No type: ${JSON.stringify(schema)}`);
  return [type === 'integer' ? 'number' : type];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
