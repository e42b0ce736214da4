import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { type CustodyClientOptions, createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { publicKeySha256 } from '../../src/custody/entitySecret';
import { NoAnswerError, NotSentError } from '../../src/custody/errors';
import { setUp } from '../support/jest/setUp';
import { type Reply, startServer } from './server';

const apiKey = 'TEST_API_KEY:an-id:a-secret';
const entitySecret = 'c0ffee'.repeat(10).padEnd(64, '0');
const id = '0b9a2f5e-3d1c-4a7b-8e60-5f4d3c2b1a09';
const idempotencyKey = '7c8a022b-ff93-46d6-aae1-abf9c0ac2b07';
const transaction = {
  id,
  blockchain: 'ARC-TESTNET',
  state: 'COMPLETE',
  transactionType: 'OUTBOUND',
  createDate: '2026-01-01T00:00:00Z',
  updateDate: '2026-01-01T00:00:00Z',
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

let reply: (url: string, call: number) => Reply;

const server = setUp(() => startServer(({ url }, call) => reply(url, call)));
beforeEach(() => {
  server.seen.length = 0;
  reply = () => answer({ data: { transaction } });
});

describe('what the client sends', () => {
  it('carries the API key as a bearer token', async () => {
    await client().getTransaction({ id });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`]);
  });

  it('goes to the base URL, with the id in the path', async () => {
    await client().getTransaction({ id });
    expect(sent()).toEqual([`GET /v1/w3s/transactions/${id}`]);
  });

  it('goes to the same place when the base URL ends in a slash', async () => {
    await client({ baseUrl: `${server.origin}/v1/w3s//` }).getTransaction({ id });
    expect(sent()).toEqual([`GET /v1/w3s/transactions/${id}`]);
  });

  it('hangs off the origin where the service does so', async () => {
    reply = () => answer({ message: 'pong' });
    await client().ping({});
    expect(sent()).toEqual(['GET /ping']);
  });

  it('encodes what stands in a path, so that an id cannot lead elsewhere', async () => {
    await client().getTransaction({ id: '../wallets?x=1#y' });
    expect(sent()).toEqual(['GET /v1/w3s/transactions/..%2Fwallets%3Fx%3D1%23y']);
  });

  it('has the rest of a read in the query, without what is undefined', async () => {
    reply = () => answer({ data: { wallets: [] } });
    await client().listWallets({ refId: 'a b&c=d/1', pageSize: 50, address: undefined });
    expect(sent()).toEqual(['GET /v1/w3s/wallets?refId=a+b%26c%3Dd%2F1&pageSize=50']);
  });

  it('has the rest of a write in a JSON body, without what stands in the path', async () => {
    reply = withKey(() => answer({ data: { contractIds: [id], transactionId: id } }));
    await client().deployTemplate({
      id,
      idempotencyKey,
      name: 'Token',
      walletId: id,
      blockchain: 'ARC-TESTNET',
      templateParameters: { name: 'Token' },
    });
    const { url, headers, body } = server.seen[1] ?? {};
    const { entitySecretCiphertext, ...rest } = JSON.parse(body ?? '');
    expect({ url, type: headers?.['content-type'], rest }).toEqual({
      url: `/v1/w3s/templates/${id}/deploy`,
      type: 'application/json',
      rest: {
        idempotencyKey,
        name: 'Token',
        walletId: id,
        blockchain: 'ARC-TESTNET',
        templateParameters: { name: 'Token' },
      },
    });
    expect(decrypted(entitySecretCiphertext)).toBe(entitySecret);
  });

  it('carries no ciphertext on a query of a contract, which is a read that is posted', async () => {
    reply = () => answer({ data: { outputData: '0x' } });
    await client().queryContract({ address: '0x1', blockchain: 'ARC-TESTNET' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      address: '0x1',
      blockchain: 'ARC-TESTNET',
    });
  });
});

describe('what the client takes for an answer', () => {
  it('is a body wrapped in data', async () => {
    await expect(client().getTransaction({ id })).resolves.toEqual({ transaction });
  });

  it('is a bare body', async () => {
    reply = () => answer({ transaction });
    await expect(client().getTransaction({ id })).resolves.toEqual({ transaction });
  });

  it('is an empty body where nothing is expected', async () => {
    reply = () => ({ status: 204 });
    await expect(
      client().requestDrip({ address: '0x1', blockchain: 'ARC-TESTNET' }),
    ).resolves.toEqual({});
  });

  it('is a record with fields that nobody has heard of, which are left out', async () => {
    reply = () => answer({ data: { transaction: { ...transaction, mood: 'good' }, more: 1 } });
    await expect(client().getTransaction({ id })).resolves.toEqual({ transaction });
  });
});

describe('a call', () => {
  it.each<[string, Reply]>([
    ['a time-out', 'silence'],
    ['a reset', 'reset'],
    ['a half answer', 'half'],
    ['429', refusal(429, 429, 'Too many requests.')],
    ['500', { status: 500, body: 'oops' }],
    ['a redirection', { status: 302, headers: { location: '/elsewhere' } }],
  ])('is tried once and never again after %s', async (_what, once) => {
    reply = () => once;
    await expect(client({ deadlineMs: 2_000 }).getTransaction({ id })).rejects.toThrow();
    expect(sent()).toEqual([`GET /v1/w3s/transactions/${id}`]);
  });

  it('ends at its deadline', async () => {
    reply = () => 'silence';
    const error = await failed(client({ deadlineMs: 1_000 }).getTransaction({ id }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error.message).toBe('GET /transactions/:id was sent, but no answer came: time-out.');
  });

  it('ends when its signal says so', async () => {
    const abort = new AbortController();
    reply = () => {
      setTimeout(() => abort.abort(), 20);
      return 'silence';
    };
    const error = await failed(client().getTransaction({ id }, { signal: abort.signal }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error.message).toBe(
      'GET /transactions/:id was sent, but no answer came: This operation was aborted.',
    );
  });

  it('was sent, and has no answer, when the connection is reset after the request', async () => {
    reply = () => 'reset';
    const error = await failed(client().getTransaction({ id }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error.message).toBe('GET /transactions/:id was sent, but no answer came: ECONNRESET.');
  });

  it('was sent, and has no answer, when the answer breaks off', async () => {
    reply = () => 'half';
    const error = await failed(client().getTransaction({ id }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error.message).toBe(
      'GET /transactions/:id was sent, but no answer came: UND_ERR_SOCKET.',
    );
  });

  it('was not sent when the connection is refused', async () => {
    const gone = await startServer(() => ({}));
    await gone.stop();
    const error = await failed(client({ baseUrl: `${gone.origin}/v1/w3s` }).getTransaction({ id }));
    expect(error).toBeInstanceOf(NotSentError);
    expect(error.message).toBe(
      `GET /transactions/:id was not sent: ${gone.origin} cannot be reached (ECONNREFUSED).`,
    );
  });

  it('was not sent when the name of the service cannot be found', async () => {
    const error = await failed(
      client({ baseUrl: 'http://nowhere.invalid' }).getTransaction({ id }),
    );
    expect(error).toBeInstanceOf(NotSentError);
    expect(error.message).toMatch(
      /^GET \/transactions\/:id was not sent: http:\/\/nowhere\.invalid cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.$/,
    );
  });
});

describe('the public key', () => {
  it('is fetched before the first signed call, and kept', async () => {
    reply = withKey(() => answer({ data: { walletSet: { id } } }));
    const api = client();
    await api.createWalletSet({ idempotencyKey, name: 'one' });
    await api.createWalletSet({ idempotencyKey, name: 'two' });
    expect(sent()).toEqual([
      'GET /v1/w3s/config/entity/publicKey',
      'POST /v1/w3s/developer/walletSets',
      'POST /v1/w3s/developer/walletSets',
    ]);
  });

  it('is fetched once by calls that start together', async () => {
    reply = withKey(() => answer({ data: { walletSet: { id } } }));
    const api = client();
    await Promise.all([1, 2, 3].map(() => api.createWalletSet({ idempotencyKey })));
    expect(sent().filter((call) => call.endsWith('publicKey'))).toHaveLength(1);
  });

  it('encrypts a new ciphertext for each call', async () => {
    reply = withKey(() => answer({ data: { walletSet: { id } } }));
    const api = client();
    await api.createWalletSet({ idempotencyKey });
    await api.createWalletSet({ idempotencyKey });
    const [one, other] = server.seen.slice(1).map(({ body }) => JSON.parse(body));
    expect(one.entitySecretCiphertext).not.toBe(other.entitySecretCiphertext);
  });

  it.each([156013, 177604])(
    'is fetched again after code %i, which may mean that it has changed',
    async (code) => {
      reply = withKey((call) =>
        call === 2
          ? refusal(400, code, 'The provided entity secret is invalid')
          : answer({ data: { walletSet: { id } } }),
      );
      const api = client();
      await expect(api.createWalletSet({ idempotencyKey })).rejects.toThrow(
        `createWalletSet was answered with 400, code ${code}: The provided entity secret is invalid`,
      );
      await api.createWalletSet({ idempotencyKey });
      expect(sent()).toEqual([
        'GET /v1/w3s/config/entity/publicKey',
        'POST /v1/w3s/developer/walletSets',
        'GET /v1/w3s/config/entity/publicKey',
        'POST /v1/w3s/developer/walletSets',
      ]);
    },
  );

  it('that is not the pinned one gets no secret, and is asked for again', async () => {
    reply = withKey(() => answer({ data: { walletSet: { id } } }));
    const other = client({ publicKeySha256: 'f'.repeat(64) });
    const error = await failed(other.createWalletSet({ idempotencyKey }));
    expect(error).toMatchObject({ name: 'WithheldError', next: 'operator' });
    const digest = publicKeySha256(publicKey);
    expect(error.message).toContain(`has the SHA-256 ${digest}, and CUSTODY_PUBLIC_KEY_SHA256 is`);
    await failed(other.createWalletSet({ idempotencyKey }));
    expect(sent()).toEqual(Array(2).fill('GET /v1/w3s/config/entity/publicKey'));
    const pinned = client({ publicKeySha256: digest });
    expect(await pinned.createWalletSet({ idempotencyKey })).toEqual({ walletSet: { id } });
  });

  it.each<[string, Reply]>([
    ['no answer came', 'reset'],
    ['something before the service answered', { status: 502, body: '<html>' }],
    ['the service is in trouble', refusal(503, 503, 'Unavailable')],
    ['the answer is no key', answer({ data: { publicKey: 'none' } })],
  ])('when %s for it, leaves the write that wanted it as surely not sent', async (_what, once) => {
    reply = () => once;
    await expect(client().createWalletSet({ idempotencyKey })).rejects.toBeInstanceOf(NotSentError);
    expect(sent()).toEqual(['GET /v1/w3s/config/entity/publicKey']);
  });
});

function client(options: Partial<CustodyClientOptions> = {}): CustodyApi {
  return createCustodyClient({
    baseUrl: `${server.origin}/v1/w3s`,
    apiKey,
    entitySecret,
    ...options,
  });
}

function sent(): string[] {
  return server.seen.map(({ method, url }) => `${method} ${url}`);
}

function answer(body: unknown): Reply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function refusal(status: number, code: number, message: string): Reply {
  return { status, body: JSON.stringify({ code, message }) };
}

/** Serves the public key, and leaves other calls to the given answer. */
function withKey(other: (call: number) => Reply): (url: string, call: number) => Reply {
  return (url, call) =>
    url.endsWith('publicKey') ? answer({ data: { publicKey: publicKeyPem } }) : other(call);
}

async function failed(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => {
      throw new Error('The call has succeeded.');
    },
    (error) => error,
  );
}

function decrypted(ciphertext: string): string {
  return privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(ciphertext, 'base64'),
  ).toString('hex');
}
