import { z } from 'zod';
import { type Endpoint, endpoints } from '../../../src/custody/endpoints';
import type { Random } from './random';
import { bent, brokenBody, evilValues, type Schema, validValue } from './values';

/** One request that must have no effect. */
export type Malformed = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** The request asks for a change, so a success would be a fault. */
  mustBeRefused: boolean;
};

/** Facts about a sandbox that a fuzzer may use. */
export type Known = {
  apiKey: string;
  /** A wallet that has money. */
  walletId: string;
  usedCiphertexts: readonly string[];
  freshCiphertext: () => string;
};

const table = Object.values<Endpoint>(endpoints).map((endpoint) => {
  const schema: Schema = z.toJSONSchema(endpoint.input, {
    io: 'input',
    unrepresentable: 'any',
  }) as Schema;
  const ids = Object.entries(schema.properties ?? {}).filter(
    ([name, { format }]) => format === 'uuid' && name !== 'idempotencyKey',
  );
  const isAboutSomething = ids.some(([name]) => schema.required?.includes(name));
  return { endpoint, schema, isAboutSomething };
});

export function malformedRequest(random: Random, known: Known): Malformed {
  const draw = random.below(100);
  if (draw < 60) return bentRequest(random, known);
  if (draw < 75) return brokenRequest(random, known);
  if (draw < 92) return strangeRequest(random, known);
  return controlRequest(random);
}

/** A valid call with one or a few changes. */
function bentRequest(random: Random, known: Known): Malformed {
  const { endpoint, schema, isAboutSomething } = random.pick(table);
  const valid = validValue(random, schema) as Record<string, unknown>;
  // A call with valid fields gets far, even if nothing has its id.
  const isDeep = endpoint.signed && isAboutSomething && random.chance(0.1);
  const fields = isDeep ? valid : bent(random, valid);
  if (endpoint.write && !isDeep)
    sabotage(random, known, { endpoint, fields, needed: schema.required });
  if (isDeep) fields.entitySecretCiphertext = known.freshCiphertext();
  return requestOf(known, { endpoint, fields });
}

type Filled = { endpoint: Endpoint; fields: Record<string, unknown> };

/**
 * Adds one fault that cannot be valid by chance, so that the request must be refused. An unknown
 * field is none, since the service ignores it.
 */
function sabotage(
  random: Random,
  known: Known,
  { endpoint, fields, needed = [] }: Filled & { needed?: readonly string[] | undefined },
): void {
  if (random.chance(0.4)) {
    fields[random.pick(['blue', 'walletid', 'Amounts'])] = random.pick(evilValues);
  }
  if (!endpoint.signed) {
    if (needed.length > 0) fields[random.pick(needed)] = random.pick([undefined, null, {}, [[]]]);
    return;
  }
  if (random.chance(0.1)) fields.walletId = known.walletId;
  fields.entitySecretCiphertext = random.pick([
    random.pick(known.usedCiphertexts),
    random.pick(evilValues),
    Buffer.alloc(random.pick([0, 1, 511, 512, 513]), random.below(256)).toString('base64'),
    `${random.pick(known.usedCiphertexts)}=`,
    'a1'.repeat(32),
  ]);
}

function requestOf(known: Known, { endpoint, fields }: Filled): Malformed {
  const rest = { ...fields };
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(text(rest[name])).slice(0, 500);
    delete rest[name];
    return value || '%20';
  });
  const path = (endpoint.root === 'base' ? '/v1/w3s' : '') + filled;
  const headers = { authorization: `Bearer ${known.apiKey}`, 'content-type': 'application/json' };
  const { method } = endpoint;
  const mustBeRefused = endpoint.write && !takesNothing(endpoint);
  if (method !== 'GET') {
    return { method, path, headers, body: JSON.stringify(rest), mustBeRefused };
  }
  const query = Object.entries(rest).map(
    ([name, value]) => `${encodeURIComponent(text(name))}=${encodeURIComponent(text(value))}`,
  );
  return { method, path: `${path}?${query.join('&')}`.slice(0, 6_000), headers, mustBeRefused };
}

/** One half of a surrogate pair cannot stand in a path. */
function text(value: unknown): string {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return words.replace(/\p{Surrogate}/gu, '?');
}

function brokenRequest(random: Random, known: Known): Malformed {
  const request = bentRequest(random, known);
  const { endpoint } = random.pick(table.filter(({ endpoint: { write } }) => write));
  const whole = JSON.stringify({ idempotencyKey: random.uuid(), name: 'x', blue: 1 });
  const body = brokenBody(random, typeof request.body === 'string' ? request.body : whole);
  const id = random.uuid();
  const fields = { id, blockchain: 'ARC-TESTNET' };
  const { path, mustBeRefused } = requestOf(known, { endpoint, fields });
  return { ...request, method: endpoint.method, path, body, mustBeRefused };
}

/** Tells if a call may have no fields at all. For such a call `null` is a valid body. */
function takesNothing({ input, signed }: Endpoint): boolean {
  return !signed && input.safeParse({}).success;
}

/** Methods, paths and headers that no call has. */
function strangeRequest(random: Random, known: Known): Malformed {
  const request = bentRequest(random, known);
  const header = random.pick(['authorization', 'content-type', 'x-request-id', 'accept', 'expect']);
  const value = random.pick([
    '',
    'Bearer',
    'Bearer x',
    'Basic abc',
    'Bearer TEST_API_KEY:a:b',
    'Bearer LIVE_API_KEY:a:b',
    'Bearer VEVTVF9BUElfS0VZOmE6Yg==',
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/json;;',
    '<script>',
    'x'.repeat(3_000),
    '"',
    '../..',
    '\u00e9\u00ff',
    '*/*',
  ]);
  const segment = random.pick([
    '',
    '/',
    '//',
    '/..',
    '/%2e%2e',
    '/%zz',
    '/%',
    '/%00',
    '/%ff',
    '/.',
    '/*',
    '/:id',
    '/wallets;x',
    `/${'a'.repeat(5_000)}`,
    '?',
    '?a[]=1',
    '?__proto__=1',
    '?a=1&a=2',
    '/%F0%9F%98%80',
    '?%zz=%zz',
  ]);
  const method = random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']);
  return random.pick<() => Malformed>([
    () => ({ ...request, headers: { ...request.headers, [header]: value } }),
    () => ({ ...request, path: request.path.split('?', 1)[0] + segment }),
    () => ({ ...request, path: `${segment || '/'}${request.path}`.replace(/^[^/]/, '/$&') }),
    // A GET changes nothing, and a PUT of another call may lack every field.
    () => ({ ...request, method, mustBeRefused: request.mustBeRefused && isChange(method) }),
  ])();
}

/** Changes that the control plane must refuse. */
function controlRequest(random: Random): Malformed {
  const headers = { 'content-type': 'application/json' };
  const settings = bent(random, { settleMs: 50, rateLimit: 'off', refusalBurnsKey: false });
  const rule = bent(random, { kind: 'delay', delayMs: 1, count: 1, path: '/wallets' });
  const [method, path, body] = random.pick<[string, string, unknown]>([
    ['PATCH', 'settings', { ...settings, blue: 1 }],
    ['PATCH', 'settings', random.pick([[], null, 5, 'text'])],
    ['POST', 'faults', { seed: 1, rules: [{ ...rule, blue: 1 }] }],
    ['POST', 'faults', { seed: random.pick(['1', -1, 1.5, null]), rules: [] }],
    ['PUT', 'settings', {}],
    ['POST', 'notifications/resend', { from: random.pick([0, -1, 'x', null]) }],
    ['POST', `transactions/${random.uuid()}/state`, { ...settings, blue: 1 }],
    ['GET', `calls?after=${encodeURIComponent(text(random.pick(['x', -1, '1e400', 'NaN'])))}`, {}],
  ]);
  const mustBeRefused = method !== 'GET';
  return {
    method,
    path: `/_sandbox/${path}`,
    headers,
    ...(mustBeRefused ? { body: JSON.stringify(body) } : {}),
    mustBeRefused,
  };
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'PUT';
}
