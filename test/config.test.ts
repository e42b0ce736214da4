import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCustodyConfig, readTemporalConfig } from '../src/config';
import { ConfigError } from '../src/variables';

const testKey = 'TEST_API_KEY:an-id:a-secret';
const liveKey = 'LIVE_API_KEY:an-id:a-secret';
const secret = '0123456789abcdef'.repeat(4);
const env = {
  CUSTODY_BASE_URL: 'http://127.0.0.1:4010/v1/w3s',
  CUSTODY_API_KEY: testKey,
  CUSTODY_ENTITY_SECRET: secret,
};
const urlForm = 'must be a URL such as http://127.0.0.1:4010/v1/w3s.';
const plainForm =
  'must begin with https://, since http:// shows the API key to every network on the way.';
const keyForm = 'must be TEST_API_KEY:<id>:<secret>, or the base64 of it.';
const secretForm = 'must be 64 lowercase hexadecimal characters.';
const hoursForm = 'must be a number of hours, more than 0 and at most 8760.';
/** So that no settings of the machine's owner take part. */
const noFile = join(__dirname, 'no-such-file.toml');

describe('the configuration of the custody service', () => {
  it('is read from the environment, with defaults for what may be left out', () => {
    expect(readCustodyConfig(env)).toMatchObject({
      baseUrl: 'http://127.0.0.1:4010/v1/w3s',
      apiKey: testKey,
      entitySecret: secret,
      blockchain: 'ARC-TESTNET',
      keyLifetimeMs: 86_400_000,
    });
  });

  it('takes a lifetime of keys in hours', () => {
    const config = readCustodyConfig({ ...env, CUSTODY_KEY_LIFETIME_HOURS: '1.5' });
    expect(config.keyLifetimeMs).toBe(5_400_000);
  });

  it.each(['CUSTODY_BASE_URL', 'CUSTODY_API_KEY', 'CUSTODY_ENTITY_SECRET'])(
    'is refused without %s, which it names',
    (name) => {
      expect(refusal({ ...env, [name]: undefined })).toBe(`${name}: is not set.`);
    },
  );

  it('counts an empty variable as one that is not set', () => {
    expect(refusal({ ...env, CUSTODY_API_KEY: '' })).toBe('CUSTODY_API_KEY: is not set.');
    expect(readCustodyConfig({ ...env, CUSTODY_BLOCKCHAIN: '' }).blockchain).toBe('ARC-TESTNET');
  });

  it('names all that is missing at once', () => {
    expect(refusal({})).toBe(
      'CUSTODY_BASE_URL: is not set. CUSTODY_API_KEY: is not set. CUSTODY_ENTITY_SECRET: is not set.',
    );
  });

  it.each([
    ['CUSTODY_BASE_URL', 'sandbox', urlForm],
    ['CUSTODY_BASE_URL', 'ftp://127.0.0.1/v1', urlForm],
    [
      'CUSTODY_BASE_URL',
      'https://me:secret@127.0.0.1/v1',
      'must not hold a user or a password: the URL is kept in histories.',
    ],
    ['CUSTODY_BASE_URL', 'http://api.circle.com/v1/w3s', plainForm],
    ['CUSTODY_BASE_URL', 'http://10.0.0.7:4010/v1/w3s', plainForm],
    ['CUSTODY_BASE_URL', 'http://127.0.0.1.example.org/v1/w3s', plainForm],
    ['CUSTODY_BASE_URL', 'http://[fe80::1]/v1/w3s', plainForm],
    ['CUSTODY_API_KEY', 'sesame', keyForm],
    ['CUSTODY_API_KEY', 'TEST_API_KEY:only-an-id', keyForm],
    ['CUSTODY_API_KEY', 'TEST_API_KEY:an id:a secret', keyForm],
    ['CUSTODY_API_KEY', base64('sesame'), keyForm],
    ['CUSTODY_ENTITY_SECRET', secret.slice(1), secretForm],
    ['CUSTODY_ENTITY_SECRET', secret.toUpperCase(), secretForm],
    ['CUSTODY_ENTITY_SECRET', secret.replace('0', 'z'), secretForm],
    ['CUSTODY_BLOCKCHAIN', 'MATIC-AMOY', 'must be one of ARC-TESTNET, ARC.'],
    ['CUSTODY_KEY_LIFETIME_HOURS', 'a day', hoursForm],
    ['CUSTODY_KEY_LIFETIME_HOURS', '0', hoursForm],
    ['CUSTODY_KEY_LIFETIME_HOURS', '-1', hoursForm],
    ['CUSTODY_KEY_LIFETIME_HOURS', '9000', hoursForm],
  ])('is refused with a malformed %s (%s), which it names', (name, value, form) => {
    expect(refusal({ ...env, [name]: value })).toBe(`${name}: ${form}`);
  });

  it('never repeats a value, since some are secrets', () => {
    const values = ['TEST_API_KEY:hidden', 'f'.repeat(63), 'nowhere', 'ETH-HIDDEN', 'hidden hours'];
    const [apiKey, entitySecret, baseUrl, blockchain, hours] = values;
    const message = refusal({
      CUSTODY_API_KEY: apiKey,
      CUSTODY_ENTITY_SECRET: entitySecret,
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_BLOCKCHAIN: blockchain,
      CUSTODY_KEY_LIFETIME_HOURS: hours,
    });
    expect(message.match(/CUSTODY_\w+/g)).toHaveLength(5);
    expect(values.filter((value) => message.includes(value))).toEqual([]);
  });

  it.each([
    'http://127.0.0.1:4010/v1/w3s',
    'http://[::1]:4010/v1/w3s',
    'http://localhost:4010/v1/w3s',
    'http://sandbox:4010/v1/w3s',
    'https://api.circle.com/v1/w3s',
  ])('takes the service at %s', (baseUrl) => {
    expect(readCustodyConfig({ ...env, CUSTODY_BASE_URL: baseUrl }).baseUrl).toBe(baseUrl);
  });

  it('takes the API key as base64 too, and keeps the form it came in', () => {
    const apiKey = base64(testKey);
    expect(readCustodyConfig({ ...env, CUSTODY_API_KEY: apiKey }).apiKey).toBe(apiKey);
  });

  it.each([
    ['plain', liveKey],
    ['base64', base64(liveKey)],
  ])('takes a LIVE key (%s) for a main network with all that one needs', (_form, apiKey) => {
    const given = { ...env, CUSTODY_API_KEY: apiKey };
    expect(refusal(given)).toMatch(/^CUSTODY_API_KEY: is a LIVE_ key, and CUSTODY_BLOCKCHAIN is/);
    const arc = { ...given, CUSTODY_BLOCKCHAIN: 'ARC', CUSTODY_BASE_URL: 'https://a.example/v1' };
    expect(refusal({ ...arc, STEADFAST_LIVE: 'yes' })).toContain('STEADFAST_LIVE: is not 1.');
    const reading = { ...arc, STEADFAST_LIVE: '1' };
    expect(readCustodyConfig(reading, { signs: false }).apiKey).toBe(apiKey);
    const meant = {
      ...reading,
      CUSTODY_PUBLIC_KEY_SHA256: 'a'.repeat(64),
      STEADFAST_POLICY_FILE: 'policy.yaml',
      CHAIN_RPC_URL: 'https://node.example',
    };
    expect(readCustodyConfig(meant)).toMatchObject({ apiKey, publicKeySha256: 'a'.repeat(64) });
  });

  it('takes secrets from files that not everybody may read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-secrets-'));
    const path = join(folder, 'secret');
    writeFileSync(path, `${secret}\n`, { mode: 0o600 });
    const mounted = { ...env, CUSTODY_ENTITY_SECRET: '', CUSTODY_ENTITY_SECRET_FILE: path };
    expect(readCustodyConfig(mounted).entitySecret).toBe(secret);
    expect(refusal({ ...mounted, CUSTODY_ENTITY_SECRET: secret })).toMatch(
      /^CUSTODY_ENTITY_SECRET: is set, and so is CUSTODY_ENTITY_SECRET_FILE/,
    );
    chmodSync(path, 0o644);
    expect(refusal(mounted)).toMatch(/^CUSTODY_ENTITY_SECRET_FILE: may be read by everybody/);
    rmSync(folder, { recursive: true });
  });
});

describe('the configuration of Temporal', () => {
  it('is that of a server on this machine where nothing is said', () => {
    expect(readTemporalConfig({ TEMPORAL_CONFIG_FILE: noFile })).toMatchObject({
      namespace: 'default',
      taskQueue: 'steadfast',
      keyScope: '',
    });
  });

  it('is read from the variables that Temporal defines', () => {
    const config = readTemporalConfig({
      TEMPORAL_CONFIG_FILE: noFile,
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_NAMESPACE: 'payments',
    });
    expect(config).toMatchObject({
      connection: { address: 'temporal.example:7233' },
      namespace: 'payments',
    });
  });

  it('is refused with a malformed file, of which no line is shown: it may hold a key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-config-'));
    const file = join(folder, 'temporal.toml');
    writeFileSync(file, '[profile.default]\napi_key = "hidden');
    expect(() => readTemporalConfig({ TEMPORAL_CONFIG_FILE: file })).toThrow(
      new ConfigError(
        'The TEMPORAL_* variables, or the file that TEMPORAL_CONFIG_FILE names, cannot be used: ' +
          'Invalid TOML document: unfinished string.',
      ),
    );
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['STEADFAST_TASK_QUEUE', 'a queue', 'must be a plain name'],
    ['STEADFAST_KEY_SCOPE', 'a/b', 'must be a short plain name'],
  ])('is refused with a malformed %s, which it names', (name, value, form) => {
    expect(() => readTemporalConfig({ [name]: value })).toThrow(
      new ConfigError(`${name}: ${form}.`),
    );
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function refusal(given: NodeJS.ProcessEnv): string {
  try {
    readCustodyConfig(given);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'It was taken.';
}
