import { randomUUID } from 'node:crypto';
import { inSandbox } from '../../support/sandbox';

const sandbox = inSandbox();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('an answer', () => {
  it('is wrapped in data', async () => {
    const { status, body } = await sandbox.request('GET', 'wallets');
    expect({ status, body }).toEqual({ status: 200, body: { data: { wallets: [] } } });
  });

  it('is the same at double slashes, which a base URL with a slash at its end leads to', async () => {
    const { status } = await sandbox.request('GET', `${sandbox.origin}//v1/w3s//wallets`);
    expect(status).toBe(200);
  });

  it('repeats the X-Request-Id of its request', async () => {
    const id = randomUUID();
    const headers = { authorization: `Bearer ${sandbox.secrets.apiKey}`, 'x-request-id': id };
    const answer = await sandbox.request('GET', 'wallets', { headers });
    expect(answer.headers.get('x-request-id')).toBe(id);
  });

  it.each(['a b', 'x'.repeat(129), '<script>', '"'])(
    'does not repeat the X-Request-Id %s',
    async (id) => {
      const headers = { authorization: `Bearer ${sandbox.secrets.apiKey}`, 'x-request-id': id };
      const answer = await sandbox.request('GET', 'wallets', { headers });
      expect(answer.headers.get('x-request-id')).toMatch(uuid);
    },
  );

  it('has an X-Request-Id of its own when the request had none, also when it is a refusal', async () => {
    const taken = await sandbox.request('GET', 'wallets');
    const refused = await sandbox.request('GET', 'wallets', { headers: {} });
    expect(taken.headers.get('x-request-id')).toMatch(uuid);
    expect(refused.headers.get('x-request-id')).toMatch(uuid);
  });
});

describe('a request is refused', () => {
  const setFields = (fields: string) =>
    sandbox.request('PATCH', '/_sandbox/settings', { body: { fields } });
  beforeAll(() => setFields('strict'));
  afterAll(() => setFields('lenient'));

  it('with 404 at a path that is not part of the interface', async () => {
    const { status, body } = await sandbox.request('POST', 'walletSets', { body: {} });
    expect({ status, body }).toEqual({
      status: 404,
      body: { code: 404, message: 'Resource not found' },
    });
  });

  it('with code 2 and every faulty field, when fields are missing or malformed', async () => {
    const { status, body } = await sandbox.signed('developer/wallets', {
      idempotencyKey: 'not-a-uuid',
      count: 0,
      walletSetId: randomUUID(),
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 2,
        message: 'API parameter invalid',
        errors: [
          fault('idempotencyKey', 'Invalid UUID', '"not-a-uuid"'),
          {
            ...fault('blockchains', 'Invalid input: expected array, received undefined', 'null'),
            error: 'required',
          },
          fault('count', 'Too small: expected number to be >=1', '0'),
        ],
      },
    });
  });

  it('with code 2 for a field that the interface does not have', async () => {
    const { status, body } = await sandbox.signed('developer/walletSets', {
      idempotencyKey: randomUUID(),
      colour: 'blue',
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 2,
        message: 'API parameter invalid',
        errors: [fault('colour', 'Unrecognized key: "colour"', '"blue"')],
      },
    });
  });

  it.each([
    ['wallets', 'transactions/1', 156009, 'Fail to parse id as UUID in url.'],
    ['wallets', 'wallets/%00/balances', 156009, 'Fail to parse id as UUID in url.'],
    ['contracts', 'contracts/1', 175401, 'failed to parse id as UUID in url'],
  ])('by the %s side for %s, whose id is no UUID', async (_side, path, code, message) => {
    const { status, body } = await sandbox.request('GET', path);
    expect({ status, body }).toEqual({
      status: 400,
      body: { code, message },
    });
  });

  it.each([
    ['broken JSON', '{"idempotencyKey":'],
    ['nothing where JSON is announced', ''],
    ['a key that reaches for the prototype', '{"__proto__":{"name":"x"}}'],
    ['JSON that is deeper than any call', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('with code 2 for %s', async (_what, text) => {
    const { status, body } = await sandbox.request('POST', 'developer/walletSets', { body: text });
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 2, message: 'Invalid Entity' },
    });
  });

  it.each([
    ['a query field of a POST', 'POST', 'developer/walletSets?name=x', 'name', '"x"'],
    [
      'a query field of a GET that is not one of its',
      'GET',
      'wallets?colour=blue',
      'colour',
      '"blue"',
    ],
    ['a secret in the wrong place', 'GET', `wallets?refid=${'a1'.repeat(32)}`, 'refid', '(hidden)'],
    [
      'a ciphertext of a call that takes none',
      'GET',
      'wallets?entitySecretCiphertext=x',
      'entitySecretCiphertext',
      '(hidden)',
    ],
  ])('with code 2 for %s', async (_what, method, url, location, value) => {
    const answer = await sandbox.request(method, url, method === 'POST' ? { body: {} } : {});
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: {
        code: 2,
        message: 'API parameter invalid',
        errors: [fault(location, `Unrecognized key: "${location}"`, value)],
      },
    });
  });

  it('with code 2 for a body field that its path has said', async () => {
    const template = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
    const { body } = await sandbox.signed(`templates/${template}/deploy`, { id: template });
    expect(body).toMatchObject({ code: 2, errors: [{ location: 'id' }] });
  });

  it.each([
    { type: 'level', config: { feeLevel: 'MEDIUM', destinationAddress: '0x1' } },
    { type: 'level' },
    'MEDIUM',
  ])('with code 2 for a library fee that is none: %j', async (fee) => {
    const { body } = await sandbox.signed('developer/transactions/transfer', {
      idempotencyKey: randomUUID(),
      walletId: randomUUID(),
      destinationAddress: `0x${'1'.repeat(40)}`,
      tokenAddress: '',
      amount: ['1'],
      fee,
    });
    expect(body).toMatchObject({ code: 2, errors: [{ location: 'fee' }] });
  });

  it('with 415 for a body that is not JSON by its type', async () => {
    const answer = await fetch(`${sandbox.baseUrl}/developer/walletSets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.secrets.apiKey}`, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 415,
      body: { code: 415, message: 'Unsupported media type' },
    });
  });

  it('with 413 for a body above a megabyte', async () => {
    const { status, body } = await sandbox.request('POST', 'developer/walletSets', {
      body: { name: 'x'.repeat(1_100_000) },
    });
    expect({ status, body }).toEqual({
      status: 413,
      body: { code: 413, message: 'Request body is too large' },
    });
  });

  it.each([
    [
      'wallets',
      404,
      156001,
      "Cannot find target wallet in the system. Either the specified wallet doesn't exist or it's not accessible to the caller.",
    ],
    [
      'walletSets',
      404,
      156005,
      "Cannot find target wallet set in the system. Either no such wallet set, or it's not accessible to the caller.",
    ],
    [
      'transactions',
      404,
      156003,
      "Cannot find target transaction in the system. Either the specified transaction doesn't exist or it's not accessible to the caller.",
    ],
    [
      'tokens',
      404,
      156002,
      "Cannot find target token in the system. Either the specified token doesn't exist or it's not accessible to the caller.",
    ],
    ['contracts', 404, 175001, 'contract not found'],
  ])('for one of the %s that is not there', async (noun, status, code, message) => {
    const answer = await sandbox.request('GET', `${noun}/${randomUUID()}`);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { code, message },
    });
  });
});

function fault(location: string, message: string, invalidValue: string) {
  return { error: 'invalid', message, location, invalidValue, constraints: {} };
}
