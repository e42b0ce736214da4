import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  initiateDeveloperControlledWalletsClient,
  registerEntitySecretCiphertext,
} from '@circle-fin/developer-controlled-wallets';
import { createCustodyClient } from '../../../src/custody/client';
import { encryptEntitySecret, readPublicKey } from '../../../src/custody/entitySecret';
import { blockchain, startTestSandbox, type TestSandbox } from '../../support/sandbox';

const chosen = '0b5e'.repeat(16);
const url = 'config/entity/entitySecret';
const notSet = {
  status: 403,
  body: {
    code: 156016,
    message:
      'The entity secret has not been set yet. Please provide encrypted ciphertext in the console.',
  },
};
const alreadySet = {
  status: 409,
  body: { code: 156015, message: 'The secret for this entity has already been set.' },
};

let dataDir: string;
let sandbox: TestSandbox;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
  sandbox = await startTestSandbox({ dataDir, entitySecret: 'unregistered' });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

const ciphertextOf = async (secret: string): Promise<string> => {
  const { publicKey } = await sandbox.client.getPublicKey({});
  return encryptEntitySecret(secret, readPublicKey(publicKey));
};

const createSet = async (secret: string) =>
  sandbox.request('POST', 'developer/walletSets', {
    body: { idempotencyKey: randomUUID(), entitySecretCiphertext: await ciphertextOf(secret) },
  });

const register = async (entitySecretCiphertext: string) =>
  sandbox.request('POST', url, { body: { entitySecretCiphertext } });

describe('an entity without a secret', () => {
  it('is refused every signed call until it has registered one, and reads all the same', async () => {
    expect(await createSet(chosen)).toMatchObject(notSet);
    const deployment = {
      idempotencyKey: randomUUID(),
      name: 'Coin',
      walletId: randomUUID(),
      blockchain,
      entitySecretCiphertext: await ciphertextOf(chosen),
    };
    const path = 'templates/a1b74add-23e0-4712-88d1-6b3009e85a86/deploy';
    const refused = await sandbox.request('POST', path, { body: deployment });
    expect(refused).toMatchObject({ status: 400, body: { code: 177605 } });
    expect(await sandbox.client.listWallets({})).toEqual({ wallets: [] });

    const ciphertext = await ciphertextOf(chosen);
    expect(await register(ciphertext)).toMatchObject({
      status: 200,
      body: { data: { recoveryFile: expect.stringMatching(/^[\w+/]{80,}={0,2}$/) } },
    });
    expect(await createSet(chosen)).toMatchObject({ status: 201 });
    expect(await createSet('0bad'.repeat(16))).toMatchObject({ body: { code: 156013 } });
  });

  it('registers it with the function of the SDK, which keeps the recovery file', async () => {
    jest.spyOn(console, 'log').mockReturnValue();
    const { apiKey } = sandbox.secrets;
    const common = { apiKey, entitySecret: chosen, baseUrl: sandbox.origin };
    // The SDK takes the folder to be under the one that it runs in.
    const folder = relative(process.cwd(), dataDir);
    const given = { ...common, recoveryFileDownloadPath: folder };
    const { data } = await registerEntitySecretCiphertext(given);
    const name = (await readdir(dataDir)).find((one) => one.startsWith('recovery_file_')) ?? '';
    expect(await readFile(join(dataDir, name), 'utf8')).toBe(data?.recoveryFile);
    await expect(registerEntitySecretCiphertext(given)).rejects.toMatchObject(alreadySet.body);
    const answer = await initiateDeveloperControlledWalletsClient(common).createWalletSet({
      name: 'First',
    });
    expect(answer.data?.walletSet.id).toEqual(expect.any(String));
  });

  it('registers one of two that arrive together', async () => {
    const ciphertexts = [await ciphertextOf(chosen), await ciphertextOf('0bad'.repeat(16))];
    const answers = await Promise.all(ciphertexts.map(register));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it.each([
    ['what is no base64', () => '?', 156013],
    ['what was encrypted for another key', () => Buffer.alloc(512).toString('base64'), 156013],
    ['a secret that is too short', () => ciphertextOf('5eed'), 156013],
  ])('registers nothing for %s', async (_what, ciphertext, code) => {
    const answer = await register(await ciphertext());
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(await createSet(chosen)).toMatchObject(notSet);
  });

  it('cannot use the ciphertext of its registration again, nor the recovery file', async () => {
    const ciphertext = await ciphertextOf(chosen);
    const { body } = await register(ciphertext);
    const { recoveryFile } = (body as { data: { recoveryFile: string } }).data;
    const use = (entitySecretCiphertext: string) =>
      sandbox.request('POST', 'developer/walletSets', {
        body: { idempotencyKey: randomUUID(), entitySecretCiphertext },
      });
    expect(await use(ciphertext)).toMatchObject({ body: { code: 156004 } });
    expect(await use(recoveryFile)).toMatchObject({ body: { code: 156013 } });
  });
});

describe('a registered secret', () => {
  it('is kept when the sandbox starts again, with or without its variable', async () => {
    const { recoveryFile } = await sandbox.client.registerEntitySecret({
      entitySecretCiphertext: await ciphertextOf(chosen),
    });
    expect(recoveryFile).not.toBe('');
    for (const entitySecret of ['unregistered', undefined]) {
      await sandbox.stop();
      sandbox = await startTestSandbox({ dataDir, entitySecret });
      const { baseUrl, secrets } = sandbox;
      const client = createCustodyClient({ baseUrl, ...secrets, entitySecret: chosen });
      await client.createWalletSet({ idempotencyKey: randomUUID() });
      expect(await register(await ciphertextOf(chosen))).toMatchObject(alreadySet);
    }
  });

  it('is in no file of the sandbox as it is', async () => {
    await sandbox.client.registerEntitySecret({
      entitySecretCiphertext: await ciphertextOf(chosen),
    });
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name));
      expect(bytes.includes(Buffer.from(chosen, 'hex'))).toBe(false);
      expect(bytes.includes(chosen)).toBe(false);
    }
  });
});

it('is registered from the start where nothing else is said', async () => {
  const other = await startTestSandbox();
  try {
    const answer = await other.request('POST', url, { body: { entitySecretCiphertext: 'AAAA' } });
    expect(answer).toMatchObject(alreadySet);
  } finally {
    await other.stop();
  }
});
