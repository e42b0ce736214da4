import { jsonSchemas } from '../../../src/orders/jsonSchemas';
import { orderKinds } from '../../../src/orders/kinds';
import { transfer, walletId } from '../samples';
import { type Schema, untried } from './demands';
import { refusal, refusals } from './refusals';
import { wrongEverywhere } from './shapes';
import { tables } from './tables';

const refused = (order: unknown): string => refusal('transferStablecoin', order);

/** The sentences that every kind of order is refused with alike. */
function alike(refuse: (kind: (typeof orderKinds)[number]) => string[]): string[] {
  const [first = [], ...others] = orderKinds.map(refuse);
  for (const other of others) expect(other).toEqual(first);
  return first;
}

describe('an order of any kind is refused', () => {
  it('for a wrong value in a field that all have', () => {
    const table = { fields: wrongEverywhere };
    expect(alike((kind) => refusals(kind, { ...tables[kind], ...table }))).toMatchInlineSnapshot(`
[
  "blockchain: null must be one of ARC-TESTNET, ARC.",
  "blockchain: 5 must be one of ARC-TESTNET, ARC.",
  "blockchain: "" must be one of ARC-TESTNET, ARC.",
  "blockchain: "arc" must be one of ARC-TESTNET, ARC.",
  "blockchain: "ETH" must be one of ARC-TESTNET, ARC.",
  "feeLevel: null must be one of LOW, MEDIUM, HIGH.",
  "feeLevel: 5 must be one of LOW, MEDIUM, HIGH.",
  "feeLevel: "" must be one of LOW, MEDIUM, HIGH.",
  "feeLevel: "medium" must be one of LOW, MEDIUM, HIGH.",
  "feeLevel: "FAST" must be one of LOW, MEDIUM, HIGH.",
  "dryRun: null must be true or false.",
  "dryRun: "true" must be true or false.",
  "dryRun: 1 must be true or false.",
  "reference: null must be text, in quotes.",
  "reference: 5 must be text, in quotes.",
  "reference: {} must be text, in quotes.",
  "reference: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must have at most 200 characters.",
  "validUntil: null must be text, in quotes.",
  "validUntil: 1769860800000 must be text, in quotes.",
  "validUntil: "" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "soon" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "2026-01-31" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "2026-02-30T12:00:00Z" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "2026-01-31T12:00:00" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "2026-01-31 12:00:00Z" must be a moment such as "2026-01-31T12:00:00Z".",
  "validUntil: "2026-01-31T25:00:00Z" must be a moment such as "2026-01-31T12:00:00Z".",
  "generations: null must be an object.",
  "generations: 5 must be an object.",
  "generations: "transfer/1" must be an object.",
  "generations: ["transfer/1"] must be an object.",
  "generations.transfer: 1 must be named "<step>/<item>", such as "transfer/1".",
  "generations.a/b/c: 1 must be named "<step>/<item>", such as "transfer/1".",
  "generations."": 1 must be named "<step>/<item>", such as "transfer/1".",
  "generations.transfer/1: null must be a number, without quotes.",
  "generations.transfer/1: "1" must be a number, without quotes.",
  "generations.transfer/1: true must be a number, without quotes.",
  "generations.transfer/1: {} must be a number, without quotes.",
  "generations.transfer/1: -1 must be at least 0.",
  "generations.transfer/1: 0.5 must be a whole number.",
  "generations.transfer/1: 1001 must be at most 1000.",
  "generations.transfer/1: 1e+30 must be at most 1000.",
  "request: null must be an object.",
  "request: 5 must be an object.",
  "request: "{}" must be an object.",
  "request.statement: is missing. It must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request: ["{}"] must be an object.",
  "request.key: "" has no place in this order. Leave it out.",
  "request.statement: is missing. It must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request.statement: null must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request.statement: 5 must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request.statement: {} must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request.statement: "" must have at least 2 characters. request.signature: is missing. It must be text, in quotes.",
  "request.statement: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must have at most 100000 characters. request.signature: is missing. It must be text, in quotes.",
  "request.statement: is missing. It must be text, in quotes. request.signature: is missing. It must be text, in quotes.",
  "request.statement: is missing. It must be text, in quotes. request.signature: null must be text, in quotes.",
  "request.statement: is missing. It must be text, in quotes. request.signature: 5 must be text, in quotes.",
  "request.statement: is missing. It must be text, in quotes. request.signature: {} must be text, in quotes.",
  "request.statement: is missing. It must be text, in quotes. request.signature: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" must have at least 50 characters.",
  "request.statement: is missing. It must be text, in quotes. request.signature: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must have at most 4000 characters.",
]
`);
  });

  it('when it is no order at all', () => {
    const others = [undefined, null, [], [transfer], '', '{}', 'transfer', 5, 0, true, NaN, 5n];
    expect(alike((kind) => others.map((order) => refusal(kind, order)))).toMatchInlineSnapshot(`
[
  "The order is missing. It must be an object.",
  "The order is null. It must be an object.",
  "The order is []. It must be an object.",
  "The order is [{"from":{"walletId":"0c3f3d3e-1111-4222-8333-4444aaaa6666"},"to":"0x89B50855Aa3…. It must be an object.",
  "The order is "". It must be an object.",
  "The order is "{}". It must be an object.",
  "The order is "transfer". It must be an object.",
  "The order is 5. It must be an object.",
  "The order is 0. It must be an object.",
  "The order is true. It must be an object.",
  "The order is NaN. It must be an object.",
  "The order is 5n. It must be an object.",
]
`);
  });

  it('for fields that it does not have, whatever they are called', () => {
    const orders = [
      '{"dryrun":true}',
      '{"feelevel":"HIGH","Amount":"1"}',
      '{"":1}',
      '{"__proto__":{"amount":"1"}}',
      '{"constructor":1,"hasOwnProperty":2,"toString":3}',
      '{"\\u0430mount":"1"}',
      '{"a b\\n":"c\\nd\\u202e"}',
      `{"${'k'.repeat(200)}":"${'v'.repeat(200)}"}`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, at]))),
    ];
    const refuse = (text: string) =>
      alike((kind) => [refusal(kind, withFields(tables[kind].order, JSON.parse(text)))]);
    expect(orders.flatMap(refuse)).toMatchInlineSnapshot(`
[
  "dryrun: true has no place in this order. Leave it out.",
  "feelevel: "HIGH", Amount: "1" have no place in this order. Leave them out.",
  """: 1 has no place in this order. Leave it out.",
  "__proto__: {"amount":"1"} has no place in this order. Leave it out.",
  "constructor: 1, hasOwnProperty: 2, toString: 3 have no place in this order. Leave them out.",
  ""\\u0430mount": "1" has no place in this order. Leave it out.",
  ""a b\\n": "c\\nd\\u202e" has no place in this order. Leave it out.",
  ""kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk…: "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv… has no place in this order. Leave it out.",
  "f0: 0, f1: 1, f2: 2, f3: 3, f4: 4, f5: 5, f6: 6, f7: 7, f8: 8, f9: 9 and 490 more have no place in this order. Leave them out.",
]
`);
  });
});

/** Fields are copied one by one: a spread would drop what is called __proto__. */
function withFields(order: object, fields: object): object {
  const all = JSON.parse(JSON.stringify(order));
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(all, name, { value, enumerable: true });
  }
  return all;
}

describe('what an order is refused with', () => {
  it('shows no secret, in whatever field it was put', () => {
    const plain = 'TEST_API_KEY:0123456789abcdef:fedcba9876543210';
    const base64 = Buffer.from(plain).toString('base64');
    const secrets = [plain, base64, '0f'.repeat(32), `0x${'0F'.repeat(32)}`];
    const orders = secrets.flatMap((secret) => [
      { ...transfer, to: secret },
      { ...transfer, amount: secret },
      { ...transfer, from: { walletId: secret } },
      { ...transfer, from: { apiKey: secret } },
      { ...transfer, entitySecret: secret },
      { ...transfer, [secret]: 'a' },
      { ...transfer, generations: { [secret]: 1 } },
      secret,
      [secret],
    ]);
    const messages = orders.map(refused);
    expect(messages.filter((message) => secrets.some((one) => message.includes(one)))).toEqual([]);
    expect(messages.slice(0, 9)).toMatchInlineSnapshot(`
[
  "to: "<API key>" is not an address: give 0x and 40 hexadecimal digits.",
  "amount: "<API key>" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "from.walletId: "<API key>" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17".",
  "from: {"apiKey":"<API key>"} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "entitySecret: "<API key>" has no place in this order. Leave it out.",
  ""<API key>": "a" has no place in this order. Leave it out.",
  "generations."<API key>": 1 must be named "<step>/<item>", such as "transfer/1".",
  "The order is "<API key>". It must be an object.",
  "The order is ["<API key>"]. It must be an object.",
]
`);
  });

  it('names a hundred faults by the first ten', () => {
    const abiParameters = Array(100).fill('x');
    const abiFunctionSignature = `f(${Array(100).fill('bool')})`;
    const call = { ...tables.executeContract.order, abiFunctionSignature, abiParameters };
    const message = refusal('executeContract', call);
    expect(message.match(/abiParameters\.\d+/g)).toHaveLength(10);
    expect(message).toMatch(/ And 90 more\.$/);
  });

  it('can be told of values that are not JSON', () => {
    const circle: Record<string, unknown> = { walletId };
    circle.self = circle;
    const values = [circle, 5n, () => 5, Symbol('five'), -Infinity, new Date(0)];
    expect(values.map((from) => refused({ ...transfer, from }))).toMatchInlineSnapshot(`
[
  "The order has values inside values, more than 64 levels deep. Leave such values out.",
  "from: 5n must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "from: a function must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "from: Symbol(five) must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "from: -Infinity must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "from: "1970-01-01T00:00:00.000Z" must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
]
`);
  });

  it('is short, however long the order', () => {
    const long = 'x'.repeat(1_000_000);
    const orders = [
      ...Object.keys(transfer).map((field) => ({ ...transfer, [field]: long })),
      { ...transfer, [long]: long },
      { ...transfer, from: { [long]: long } },
      long,
      [long],
    ];
    expect(orders.map((order) => refused(order).length).filter((length) => length > 400)).toEqual(
      [],
    );
  });
});

it.each(orderKinds)('every field of %s is tried, left out and with another type', (kind) => {
  const schema = jsonSchemas()[`${kind}.order.json`] as Schema;
  expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(4);
  expect(untried(schema, { ...wrongEverywhere, ...tables[kind].fields })).toEqual([]);
});

it('a field that no table tries would be named', () => {
  const schema = {
    required: ['to'],
    properties: { to: { type: 'string' }, memo: { anyOf: [{ type: 'string' }] } },
  };
  expect(untried(schema, { to: ['', null], memo: ['a'] })).toEqual([
    'to is never left out.',
    'memo never has another type than its own.',
  ]);
});
