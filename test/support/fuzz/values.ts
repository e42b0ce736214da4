import type { Random } from './random';

/** The part of JSON Schema that is needed to make an almost valid input. */
export type Schema = {
  type?: string;
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/** Values that often break services. */
export const evilValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '0x',
  '0x0',
  'NaN',
  '0x1',
  '١٢',
  '1_000',
  '00',
  '.5',
  '5.',
  '1'.repeat(200),
  '9'.repeat(5_000),
  'x'.repeat(20_000),
  "'; DROP TABLE wallets; --",
  '" OR ""="',
  '%',
  '%00',
  '\u0000',
  '\ud800',
  '😀',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>',
  'constructor',
  '__proto__',
  'toString',
  '\r\nx-evil: 1',
  'null',
  '[]',
  '{}',
  [],
  [[]],
  [null],
  {},
  { constructor: { prototype: { x: 1 } } },
  { length: 1e9 },
  { toString: 1 },
  Array(300).fill('0'),
  [[[[[[['deep']]]]]]],
  `0x${'0'.repeat(40)}`,
  `0x${'g'.repeat(40)}`,
  'transfer(address',
  'f((((',
  'f(uint256,)',
  'f(uint99999)',
  `f(${'('.repeat(300)}`,
  'mintTo(address,uint256)[]',
  '2020-13-45T99:99:99Z',
];

/** An input that fits the schema. Its ids belong to nothing. */
export function validValue(random: Random, schema: Schema): unknown {
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return validValue(random, random.pick(schema.anyOf));
  if (schema.format === 'uuid') return random.uuid();
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random.chance(0.3))
          .map(([name, inner]) => [name, validValue(random, inner)]),
      );
    case 'array':
      return [validValue(random, schema.items ?? {})];
    case 'integer':
    case 'number':
      return 1 + random.below(5);
    case 'boolean':
      return random.chance(0.5);
    default:
      return random.pick(['ARC-TESTNET', '1', `0x${'1'.repeat(40)}`, 'f()', 'name']);
  }
}

/** Field names that no object has, or that every object inherits. */
const strangeNames = [
  'id',
  'walletId',
  '__proto__',
  'constructor',
  "a'b",
  '',
  'a.b',
  'entitySecret',
];

/** The same input with some fields removed, changed or added. */
export function bent(random: Random, input: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...input };
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const name = random.pick([...Object.keys(fields), ...strangeNames]);
    if (random.chance(0.2)) delete fields[name];
    else Object.defineProperty(fields, name, { ...open, value: random.pick(evilValues) });
  }
  return fields;
}

/** Makes `__proto__` an ordinary field. */
const open = { enumerable: true, configurable: true, writable: true };

/** Bodies that are invalid JSON, or too large. */
export function brokenBody(random: Random, whole: string): string | Buffer {
  const cut = random.below(whole.length);
  const bytes = Buffer.from(whole);
  return random.pick([
    () => whole.slice(0, cut),
    () => `${whole}${whole}`,
    () => whole.replace('"', "'"),
    () =>
      Buffer.concat([bytes.subarray(0, cut), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(cut)]),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(whole, 'utf16le')]),
    () => `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    () => '['.repeat(50_000),
    () => `{"count":1e999999,"count":${'9'.repeat(2_000)},"x":1}`,
    () => `{"name":"x","name":{"name":[]},${whole.slice(1)}`.replace(/,\}$/, '}'),
    () => `{"__proto__":{"a":1},"constructor":{"prototype":{}}}`,
    () => random.pick(['null', '[]', '5', '"text"', 'true', 'NaN', '\u0000', '{', '}', '//', '']),
    () => `{"name":"${'x'.repeat(200_000)}","blue":1}`,
    () =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]))),
  ])();
}
