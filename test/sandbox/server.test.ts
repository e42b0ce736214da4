import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { startTestSandbox, type TestSandbox } from '../support/sandbox';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.stop());

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

  it('has an X-Request-Id of its own when the request had none, also when it is a refusal', async () => {
    const taken = await sandbox.request('GET', 'wallets');
    const refused = await sandbox.request('GET', 'wallets', { headers: {} });
    expect(taken.headers.get('x-request-id')).toMatch(uuid);
    expect(refused.headers.get('x-request-id')).toMatch(uuid);
  });
});

describe('a request is refused', () => {
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
    ['wallets', 'transactions/1', 156009],
    ['wallets', 'wallets/%00/balances', 156009],
    ['contracts', 'contracts/1', 175401],
  ])('by the %s side for %s, whose id is no UUID', async (_side, path, code) => {
    const { status, body } = await sandbox.request('GET', path);
    expect({ status, body }).toEqual({
      status: 400,
      body: { code, message: 'The id in the path is not a UUID' },
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
    ['wallets', 404, 156001, 'Cannot find target wallet in the system'],
    ['walletSets', 404, 156005, 'Cannot find target wallet set in the system'],
    ['transactions', 404, 156003, 'Cannot find target transaction in the system'],
    ['tokens', 404, 156002, 'Cannot find target token in the system'],
    ['contracts', 404, 175001, 'contract not found'],
  ])('for one of the %s that is not there', async (noun, status, code, message) => {
    const answer = await sandbox.request('GET', `${noun}/${randomUUID()}`);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { code, message },
    });
  });
});

describe('the control plane', () => {
  it('tells what a client needs to know, without an API key', async () => {
    const { status, body } = await sandbox.request('GET', '/_sandbox/info', { headers: {} });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        baseUrl: sandbox.baseUrl,
        rpcUrl: sandbox.rpcUrl,
        chainId: 5042002,
        blockchain: 'ARC-TESTNET',
        tokens: [
          { symbol: 'native', address: '', decimals: 18 },
          { symbol: 'USDC', address: '0x3600000000000000000000000000000000000000', decimals: 6 },
          { symbol: 'EURC', address: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a', decimals: 6 },
        ],
        entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
        settings: {
          settleMs: 50,
          blockMs: 12,
          rateLimit: 'off',
          keyLifetimeMs: 2_592_000_000,
          sameKeyOtherBody: 'first',
          refusalBurnsKey: false,
          readLagMs: 0,
          states: 'interface',
        },
      },
    });
  });

  it('lists every call with its time, method, path, endpoint, key, status and code', async () => {
    const key = randomUUID();
    const before = await lastCall();
    await sandbox.client.createWalletSet({ idempotencyKey: key });
    await sandbox.client.createWalletSet({ idempotencyKey: key });
    await sandbox.signed('developer/walletSets', { idempotencyKey: key, colour: 'blue' });
    const writes = (await calls(before)).filter(({ method }) => method === 'POST');
    const common = { method: 'POST', path: '/v1/w3s/developer/walletSets', key };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const number = expect.any(Number);
    expect(writes).toEqual([
      { ...common, number, time, endpoint: 'createWalletSet', status: 201 },
      { ...common, number, time, endpoint: 'createWalletSet', status: 200 },
      { ...common, number, time, endpoint: 'createWalletSet', status: 400, code: 2 },
    ]);
  });

  it('lists only the calls after a given one', async () => {
    const before = await lastCall();
    await sandbox.client.listWallets({});
    expect((await calls(before)).map(({ path }) => path)).toEqual(['/v1/w3s/wallets']);
  });

  it('refuses a number that is none', async () => {
    const { status, body } = await sandbox.request('GET', '/_sandbox/calls?after=x');
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 2, errors: [{ location: 'after' }] },
    });
  });

  it.each(['/_sandbox/info', '/_sandbox/calls'])(
    'is not there (%s) for a request that asks for a foreign host',
    async (path) => {
      expect(await statusFor(path, 'evil.example')).toBe(404);
    },
  );

  it.each(['localhost', '127.0.0.1', '[::1]'])('is there under the name %s', async (host) => {
    expect(await statusFor('/_sandbox/info', `${host}:4010`)).toBe(200);
  });
});

type Call = { number: number; method: string; path: string };

async function calls(after: number): Promise<Call[]> {
  const { body } = await sandbox.request('GET', `/_sandbox/calls?after=${after}`, { headers: {} });
  return (body as { calls: Call[] }).calls;
}

async function lastCall(): Promise<number> {
  return (await calls(0)).at(-1)?.number ?? 0;
}

/** Browsers send the name of the page's own host; fetch cannot. */
function statusFor(path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, sandbox.origin), { headers: { host } });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  });
}

function fault(location: string, message: string, invalidValue: string) {
  return { error: 'invalid', message, location, invalidValue, constraints: {} };
}
