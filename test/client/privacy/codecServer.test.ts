import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { createCodecServer } from '../../../src/client/privacy/codecServer';

const keys = [{ id: 'k1', bytes: randomBytes(32) }];
const token = randomBytes(24).toString('hex');
const uiOrigin = 'http://127.0.0.1:8233';
const server = createCodecServer({ keys, token, uiOrigin, namespace: 'default' });
let url: string;
beforeAll(async () => {
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

type Headers = Record<string, string>;
type Told = {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: { payloads?: unknown[]; message?: string };
};
const json = { 'content-type': 'application/json' };
const bearer = { authorization: `Bearer ${token}` };

/** Sends any request. Its headers may be ones that a browser forbids its pages. */
async function ask(path: string, body: unknown, headers: Headers): Promise<Told> {
  // A form or a payload is a POST. A page or a preflight has no body.
  const method = body === undefined ? (path === '/' ? 'GET' : 'OPTIONS') : 'POST';
  const answer = await request(`${url}${path}`, {
    method,
    headers: body === undefined ? headers : { ...json, ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const told = isJson ? (JSON.parse(text) as Told['body']) : {};
  return { status: answer.statusCode, headers: answer.headers, text, body: told };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plain = { metadata: { encoding: base64('json/plain') }, data: base64('"to 0x523b"') };
const inDefault = { ...bearer, 'x-namespace': 'default' };

async function encode(given: object[] = [plain]): Promise<{ payloads: unknown[] }> {
  const { payloads = [] } = (await ask('/encode', { payloads: given }, inDefault)).body;
  return { payloads };
}

describe('the codec server', () => {
  test('encodes what it decodes, as many as it is given, and leaves plain payloads alone', async () => {
    const { payloads } = await encode([plain, plain]);
    expect(JSON.stringify(payloads)).not.toContain(plain.data);
    const told = await ask('/decode', { payloads: [...payloads, plain] }, inDefault);
    expect(told.status).toBe(200);
    expect(told.body).toEqual({ payloads: [plain, plain, plain] });
  });

  test.each<[string, Headers]>([
    ['nothing', {}],
    ['another token', { authorization: `Bearer ${token.slice(1)}0` }],
    ['the beginning of the token', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['the token in another scheme', { authorization: `Basic ${token}` }],
    ['the token as a cookie', { cookie: `steadfast_codec=${token}`, origin: uiOrigin }],
  ])('answers 401 to %s', async (_, headers) => {
    for (const path of ['/encode', '/decode']) {
      const told = await ask(path, await encode(), { 'x-namespace': 'default', ...headers });
      expect(told.status).toBe(401);
      expect(told.text).not.toContain(token);
    }
  });

  test('decodes nothing of another namespace than the requested one', async () => {
    const told = await ask('/decode', await encode(), { ...bearer, 'x-namespace': 'other' });
    expect(told.status).toBe(400);
    expect(told.body.message).toContain('belongs to the namespace "default", not to "other"');
    const unsaid = await ask('/decode', await encode(), { ...bearer, 'x-namespace': '' });
    expect(unsaid.body).toEqual({ payloads: [plain] });
  });

  test.each([
    ['a key that it does not have', { 'encryption-key-id': base64('k9') }, 'the key "k9"'],
    [
      'a payload that was changed',
      { namespace: base64('default'), 'workflow-id': base64('x') },
      'it was changed',
    ],
  ])('names the fault of %s', async (_, metadata, sentence) => {
    const [sealed] = (await encode()).payloads as { metadata: object; data: string }[];
    const payload = { ...sealed, metadata: { ...sealed?.metadata, ...metadata } };
    const told = await ask('/decode', { payloads: [payload] }, inDefault);
    expect(told.status).toBe(400);
    expect(told.body.message).toContain(sentence);
  });

  test.each([
    ['no JSON object', [], 400],
    ['payloads that are not a list', { payloads: 'all' }, 400],
    ['data that is not base64', { payloads: [{ ...plain, data: '?' }] }, 400],
    ['too much data', { payloads: [{ ...plain, data: 'A'.repeat(9 * 1024 * 1024) }] }, 413],
  ])('refuses %s', async (_, body, status) => {
    expect((await ask('/decode', body, inDefault)).status).toBe(status);
  });
});

describe('a browser', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const signIn = (given: string) => ask('/login', `token=${given}`, form);
  const cookieOf = async (): Promise<string> => {
    const cookie = String((await signIn(token)).headers['set-cookie']);
    return cookie.split(';')[0] ?? '';
  };
  const fromUi = { 'x-namespace': 'default', origin: uiOrigin };

  test('gets a cookie that does not contain the token, and no other page can read it', async () => {
    const { status, headers } = await signIn(token);
    expect(status).toBe(200);
    const cookie = String(headers['set-cookie']);
    const [value, ...attributes] = cookie.split('; ');
    expect(value).toMatch(/^steadfast_codec=\S+$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict']);
    expect(cookie).not.toContain(token);
    const refused = await signIn('guess');
    expect([refused.status, refused.headers['set-cookie']]).toEqual([401, undefined]);
  });

  test('sends its cookie over https alone where the UI is on https', async () => {
    const parts = { keys, token, uiOrigin: 'https://temporal.example', namespace: 'default' };
    const secure = createCodecServer(parts);
    const own = await secure.listen({ host: '127.0.0.1', port: 0 });
    const body = `token=${token}`;
    const { headers } = await request(`${own}/login`, { method: 'POST', headers: form, body });
    expect(headers['set-cookie']).toContain('; Secure');
    await secure.close();
  });

  test('decodes with the cookie only from the page of the UI', async () => {
    const cookie = await cookieOf();
    const body = await encode();
    const told = await ask('/decode', body, { ...fromUi, cookie });
    expect(told.status).toBe(200);
    expect(told.headers).toMatchObject({
      'access-control-allow-origin': uiOrigin,
      'access-control-allow-credentials': 'true',
    });
    for (const origin of ['http://127.0.0.1:9999', 'null', '']) {
      const other = await ask('/decode', body, { ...fromUi, origin, cookie });
      expect(other.status).toBe(401);
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('cannot sign in with a form, which any page may send', async () => {
    const told = await ask('/decode', await encode(), {
      ...fromUi,
      cookie: await cookieOf(),
      'content-type': 'text/plain',
    });
    expect(told.status).toBe(415);
  });

  test('learns from the preflight that only the UI may ask', async () => {
    const before = { 'access-control-request-method': 'POST' };
    const told = await ask('/decode', undefined, { ...before, origin: uiOrigin });
    expect(told.status).toBe(204);
    expect(told.headers['access-control-allow-headers']).toContain('x-namespace');
    const other = await ask('/decode', undefined, { ...before, origin: 'http://evil.example' });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('gets a page that runs no scripts and is never cached', async () => {
    const told = await ask('/', undefined, {});
    expect(told.text).toContain('<form method="post" action="/login">');
    expect(told.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test('has a session of some hours, and a forged session is refused', async () => {
    const body = await encode();
    const statusOf = async (cookie: string): Promise<number> =>
      (await ask('/decode', body, { ...fromUi, cookie })).status;
    const session = await cookieOf();
    const [, end, signature] = /=(\d+)\.(.+)$/.exec(session) ?? [];
    const hoursLeft = (Number(end) - Date.now()) / 3_600_000;
    expect(Math.round(hoursLeft)).toBe(8);
    expect(await statusOf(session)).toBe(200);
    expect(await statusOf(`steadfast_codec=${Number(end) * 2}.${signature}`)).toBe(401);
    const signedBy = (one: typeof server, endMs: number): string =>
      `steadfast_codec=${encodeURIComponent(one.signCookie(String(endMs)))}`;
    const otherToken = createCodecServer({ keys, token: 'x'.repeat(32), uiOrigin, namespace: '' });
    await otherToken.ready();
    const inAnHour = Date.now() + 3_600_000;
    expect(await statusOf(signedBy(server, inAnHour))).toBe(200);
    expect(await statusOf(signedBy(server, Date.now() - 1))).toBe(401);
    expect(await statusOf(signedBy(otherToken, inAnHour))).toBe(401);
  });
});
