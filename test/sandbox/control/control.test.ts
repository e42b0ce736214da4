import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { inSandbox, transferOf } from '../../support/sandbox';

const sandbox = inSandbox();

describe('the control plane', () => {
  it('tells what a client needs to know, without an API key', async () => {
    const { status, body } = await sandbox.request('GET', '/_sandbox/info', { headers: {} });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        baseUrl: sandbox.baseUrl,
        rpcUrl: `${sandbox.origin}/_sandbox/rpc`,
        nodePid: sandbox.chain.pid(),
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
          fields: 'lenient',
          keyLifetimeMs: 2_592_000_000,
          sameKeyOtherBody: 'first',
          scaCore: 'circle_6900_singleowner_v3',
          refusalBurnsKey: false,
          pendingMax: 1_000,
          feeCap: '1',
          outsideTransactions: 'on',
          idleBlocks: 'on',
          readLagMs: 0,
          webhookRetryMs: [1_000, 10_000, 30_000, 60_000, 900_000, 3_600_000],
          webhookTimeoutMs: 5_000,
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
      { ...common, number, time, endpoint: 'createWalletSet', status: 200, ignored: ['colour'] },
    ]);
  });

  it('lists only the calls after a given one', async () => {
    const before = await lastCall();
    await sandbox.client.listWallets({});
    expect((await calls(before)).map(({ path }) => path)).toEqual(['/v1/w3s/wallets']);
  });

  it('notes of a long key and a long path only the beginning', async () => {
    const before = await lastCall();
    await sandbox.signed('developer/walletSets', { idempotencyKey: 'k'.repeat(1_000) });
    await sandbox.request('GET', `wallets?refId=${'r'.repeat(3_000)}`);
    const noted = await calls(before);
    expect(noted.flatMap(({ key }) => key ?? [])).toEqual(['k'.repeat(100)]);
    expect(noted.at(-1)?.path).toHaveLength(2_000);
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

  it.each(['localhost', '127.0.0.1', '[::1]'])('is there as %s, and for no page', async (host) => {
    expect(await statusFor('/_sandbox/info', `${host}:4010`)).toBe(200);
    const page = { origin: `http://${host}:4010` };
    expect(await statusFor('/_sandbox/info', `${host}:4010`, page)).toBe(404);
  });

  it('does not list the calls of the control plane', async () => {
    const before = await lastCall();
    await control('GET', 'calls?after=x');
    await control('PATCH', 'settings', { settleMs: 'soon' });
    expect(await calls(before)).toEqual([]);
  });
});

describe('the settings', () => {
  const first = {
    settleMs: 50,
    blockMs: 12,
    rateLimit: 'off',
    fields: 'lenient',
    keyLifetimeMs: 2_592_000_000,
    sameKeyOtherBody: 'first',
    scaCore: 'circle_6900_singleowner_v3',
    refusalBurnsKey: false,
    pendingMax: 1_000,
    feeCap: '1',
    outsideTransactions: 'on',
    idleBlocks: 'on',
    readLagMs: 0,
    webhookRetryMs: [1_000, 10_000, 30_000, 60_000, 900_000, 3_600_000],
    webhookTimeoutMs: 5_000,
  };
  afterEach(() => control('PATCH', 'settings', first));

  it('change one by one, and are answered as they are then', async () => {
    const { status, body } = await control('PATCH', 'settings', { keyLifetimeMs: 1_000 });
    const now = { ...first, keyLifetimeMs: 1_000, states: 'interface' };
    expect({ status, body }).toEqual({ status: 200, body: now });
    expect((await control('GET', 'info')).body).toMatchObject({ settings: now });
  });

  it.each([
    [{ settleMs: 1_000 }, { settleMs: 1_000, blockMs: 250 }],
    [
      { settleMs: 1_000, blockMs: 7 },
      { settleMs: 1_000, blockMs: 7 },
    ],
    [{ blockMs: 7 }, { settleMs: 50, blockMs: 7 }],
  ])('%j keep blocks at the pace of settling, unless told otherwise', async (change, expected) => {
    expect((await control('PATCH', 'settings', change)).body).toMatchObject(expected);
  });

  it.each([
    ['unknown', { settleMs: 70, colour: 'blue' }, 'colour'],
    ['malformed', { settleMs: 70, rateLimit: 'sometimes' }, 'rateLimit'],
    ['out of range', { refusalBurnsKey: true, readLagMs: -1 }, 'readLagMs'],
  ])('stay as they are when one is %s', async (_how, change, location) => {
    const { status, body } = await control('PATCH', 'settings', change);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 2, errors: [{ location }] },
    });
    expect((await control('GET', 'info')).body).toMatchObject({ settings: first });
  });

  it('count at once for what is already under way', async () => {
    const wallet = await sandbox.fundedWallet();
    await control('PATCH', 'settings', { settleMs: 600_000, blockMs: 10 });
    const { id } = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    await control('PATCH', 'settings', { settleMs: 50 });
    expect((await sandbox.settled(id)).state).toBe('COMPLETE');
  });

  it('limit calls from the next one on', async () => {
    await control('PATCH', 'settings', { rateLimit: 'hosted' });
    const reads = await Promise.all(
      Array.from({ length: 60 }, () => sandbox.request('GET', 'wallets')),
    );
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });
});

function control(method: string, path: string, body?: object) {
  return sandbox.request(method, `/_sandbox/${path}`, {
    headers: {},
    ...(body === undefined ? {} : { body }),
  });
}

type Call = { number: number; method: string; path: string; key?: string };

async function calls(after: number): Promise<Call[]> {
  const { body } = await sandbox.request('GET', `/_sandbox/calls?after=${after}`, { headers: {} });
  return (body as { calls: Call[] }).calls;
}

async function lastCall(): Promise<number> {
  return (await calls(0)).at(-1)?.number ?? 0;
}

/** Browsers send the name of the page's own host. Fetch cannot. */
function statusFor(path: string, host: string, page = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, ...page };
    const request = httpRequest(new URL(path, sandbox.origin), { headers });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  });
}
