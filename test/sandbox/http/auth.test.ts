import { randomUUID } from 'node:crypto';
import { createCustodyClient } from '../../../src/custody/client';
import { encryptEntitySecret, readPublicKey } from '../../../src/custody/entitySecret';
import { blockchain, inSandbox } from '../../support/sandbox';

const sandbox = inSandbox();

const malformed = {
  status: 401,
  body: { code: 401, message: 'Malformed authorization. Are the credentials properly encoded?' },
};

const wrongEnvironment =
  'TEST_API key cannot be used with blockchain mainnets, or ' +
  'LIVE_API key cannot be used with blockchain testnets';

describe('the API key', () => {
  it.each([
    ['no header at all', {}],
    ['another scheme', { authorization: 'Basic TEST_API_KEY:id:secret' }],
    ['a key that is not in the form of one', { authorization: 'Bearer sesame' }],
    ['a key with a part missing', { authorization: 'Bearer TEST_API_KEY:id' }],
    ['base64 of something else', { authorization: `Bearer ${base64('sesame')}` }],
    [
      'base64 that is cut off',
      { authorization: `Bearer ${base64('TEST_API_KEY:i:s').slice(0, -1)}` },
    ],
  ])('is malformed for %s', async (_what, headers) => {
    const { status, body } = await sandbox.request('GET', 'wallets', { headers });
    expect({ status, body }).toEqual(malformed);
  });

  it.each([
    [
      'the wallets side',
      'GET',
      'wallets',
      156007,
      'TEST_API key or LIVE_API key is not found for the request.',
    ],
    [
      'the contracts side',
      'GET',
      `contracts/${randomUUID()}`,
      175405,
      'TEST_API key or LIVE_API key is not found for the request',
    ],
  ])(
    'is not found by %s when it is in the right form but unknown',
    async (_side, method, url, code, message) => {
      const headers = { authorization: 'Bearer TEST_API_KEY:id:secret' };
      const { status, body } = await sandbox.request(method, url, { headers });
      expect({ status, body }).toEqual({
        status: 401,
        body: { code, message },
      });
    },
  );

  it.each([
    ['the wallets side', 'wallets', 'plain', 156006, `${wrongEnvironment}.`],
    ['the wallets side', 'wallets', 'base64', 156006, `${wrongEnvironment}.`],
    ['the contracts side', `contracts/${randomUUID()}`, 'plain', 175404, wrongEnvironment],
  ])('is refused by %s (%s, %s) in its live form', async (_side, url, form, code, message) => {
    const live = sandbox.secrets.apiKey.replace(/^TEST/, 'LIVE');
    const headers = { authorization: `Bearer ${form === 'plain' ? live : base64(live)}` };
    const { status, body } = await sandbox.request('GET', url, { headers });
    expect({ status, body }).toEqual({
      status: 400,
      body: { code, message },
    });
  });

  it.each(['plain', 'base64'])('is accepted in its %s form', async (form) => {
    const { apiKey } = sandbox.secrets;
    const given = form === 'plain' ? apiKey : base64(apiKey);
    const headers = { authorization: `Bearer ${given}` };
    expect((await sandbox.request('GET', 'wallets', { headers })).status).toBe(200);
  });

  it('is not asked for by ping, the one open endpoint', async () => {
    const { status, body } = await sandbox.request('GET', '/ping', { headers: {} });
    expect({ status, body }).toEqual({ status: 200, body: { message: 'pong' } });
  });

  it.each([
    ['an unknown field', { nonsense: true }],
    ['broken JSON', '{"idempotencyKey":'],
    ['a body that is too large', { name: 'x'.repeat(1_100_000) }],
  ])('is asked for before anything is said about %s', async (_what, body) => {
    const answer = await sandbox.request('POST', 'developer/walletSets', { headers: {}, body });
    expect({ status: answer.status, body: answer.body }).toEqual(malformed);
  });
});

const ciphertextReused =
  'an entity secret ciphertext is not allowed. ' +
  'Please re-encrypt the entity secret to generate new ciphertext';

describe('the entity secret', () => {
  it('has a public key armoured as RSA around SPKI, as the hosted service serves it', async () => {
    const { publicKey } = await sandbox.client.getPublicKey({});
    const { asymmetricKeyType, asymmetricKeyDetails } = readPublicKey(publicKey);
    expect(publicKey).toMatch(/^-----BEGIN RSA PUBLIC KEY-----\nMIICIjANBgkqhkiG9w0BAQEFAAOCAg8A/);
    expect(asymmetricKeyType).toBe('rsa');
    expect(asymmetricKeyDetails).toMatchObject({ modulusLength: 4_096 });
  });

  it.each([
    'developer/walletSets',
    'developer/wallets',
    'developer/transactions/transfer',
    'developer/transactions/contractExecution',
    `templates/${randomUUID()}/deploy`,
  ])('is missed by POST %s', async (url) => {
    const { status, body } = await sandbox.request('POST', url, {
      body: { idempotencyKey: randomUUID() },
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 2,
        message: 'API parameter invalid',
        errors: [
          {
            error: 'required',
            message: 'entitySecretCiphertext is required',
            location: 'entitySecretCiphertext',
            invalidValue: 'null',
            constraints: {},
          },
        ],
      },
    });
  });

  it.each([
    ['wallets', 156013, 'The provided entity secret is invalid.'],
    ['contracts', 177604, 'the provided entity secret is invalid'],
  ] as const)(
    'is invalid for the %s side when the ciphertext holds another one',
    async (side, code, message) => {
      const ciphertext = await encrypted('f'.repeat(64));
      const { status, body } = await signed(side, ciphertext);
      expect({ status, body }).toEqual({
        status: 400,
        body: { code, message },
      });
    },
  );

  it.each([
    ['no base64', 'not a ciphertext!'],
    ['no ciphertext', base64('x'.repeat(512))],
    ['a number', 5],
    ['the secret itself, as hex', 'a'.repeat(64)],
    ['the secret itself, as base64 of its bytes', Buffer.alloc(32, 170).toString('base64')],
  ])('is invalid when the ciphertext is %s', async (_what, ciphertext) => {
    const { status, body } = await signed('wallets', ciphertext);
    expect({ status, code: body }).toMatchObject({ status: 400, code: { code: 156013 } });
  });

  it.each([
    ['wallets', 156004, `Reusing ${ciphertextReused}.`],
    ['contracts', 177602, `reusing ${ciphertextReused}`],
  ] as const)(
    'is accepted once from one ciphertext by the %s side',
    async (side, code, message) => {
      const ciphertext = await encrypted();
      expect((await signed('wallets', ciphertext)).status).toBe(201);
      const { status, body } = await signed(side, ciphertext);
      expect({ status, body }).toEqual({
        status: 400,
        body: { code, message },
      });
    },
  );

  it('is accepted from standard base64 alone, so that no spelling makes a used one new', async () => {
    const ciphertext = await encrypted();
    expect((await signed('wallets', ciphertext)).status).toBe(201);
    const urlSafe = ciphertext.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    for (const spelt of [urlSafe, ciphertext.replace('=', ''), `${ciphertext} `]) {
      expect((await signed('wallets', spelt)).body).toMatchObject({ code: 156013 });
    }
  });

  it('is not used up by a request that is refused for its fields', async () => {
    const entitySecretCiphertext = await encrypted();
    const body = { idempotencyKey: 'not-a-uuid', entitySecretCiphertext };
    expect((await sandbox.request('POST', 'developer/walletSets', { body })).status).toBe(400);
    expect((await signed('wallets', entitySecretCiphertext)).status).toBe(201);
  });

  it('is accepted once from one ciphertext that arrives ten times at once', async () => {
    const ciphertext = await encrypted();
    const tries = Array.from({ length: 10 }, () => signed('wallets', ciphertext));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array(9).fill(400)]);
  });

  it('is wrong in a client that has another one, which says so without repeating it', async () => {
    const entitySecret = 'e'.repeat(64);
    const { baseUrl, secrets } = sandbox;
    const client = createCustodyClient({ ...secrets, baseUrl, entitySecret });
    await expect(client.createWalletSet({ idempotencyKey: randomUUID() })).rejects.toThrow(
      'createWalletSet was answered with 400, code 156013: The provided entity secret is invalid.',
    );
  });
});

async function encrypted(secret = sandbox.secrets.entitySecret): Promise<string> {
  const { publicKey } = await sandbox.client.getPublicKey({});
  return encryptEntitySecret(secret, readPublicKey(publicKey));
}

function signed(side: 'wallets' | 'contracts', entitySecretCiphertext: unknown) {
  const common = { idempotencyKey: randomUUID(), entitySecretCiphertext };
  return side === 'wallets'
    ? sandbox.request('POST', 'developer/walletSets', { body: common })
    : sandbox.request('POST', `templates/${randomUUID()}/deploy`, {
        body: { ...common, name: 'Token', walletId: randomUUID(), blockchain },
      });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
