import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readCodecKeys,
  readCodecServerConfig,
  readStrictness,
} from '../../../src/client/privacy/config';
import { readPrivacy } from '../../../src/client/privacy/privacy';
import { newFolder } from '../../support/jest/setUp';

const folder = newFolder();

const bytes = [randomBytes(32), randomBytes(32)] as const;
const [one, two] = [`k1:${bytes[0].toString('base64')}`, `k2:${bytes[1].toString('base64')}`];
const token = randomBytes(16).toString('hex');

function file(name: string, text: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function refusal(read: (env: NodeJS.ProcessEnv) => unknown, env: NodeJS.ProcessEnv): string {
  try {
    read(env);
    return 'It was not refused.';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the keys of private payloads', () => {
  const read = [
    { id: 'k1', bytes: bytes[0] },
    { id: 'k2', bytes: bytes[1] },
  ];

  it('come from a variable, or from a file with one key per line', () => {
    expect(readCodecKeys({ STEADFAST_CODEC_KEYS: `${one},${two}` })).toEqual(read);
    const path = file('keys', `${one}\n${two}\n`, 0o600);
    expect(readCodecKeys({ STEADFAST_CODEC_KEYS_FILE: path })).toEqual(read);
  });

  it('are absent when nothing is set: then payloads are not private', () => {
    expect(readCodecKeys({ STEADFAST_CODEC_KEYS: '' })).toEqual([]);
    expect(readPrivacy('default', {})).toMatchObject({ isPrivate: false, keyIds: [] });
    const { dataConverter } = readPrivacy('default', {});
    expect(dataConverter.failureConverterPath).toBeUndefined();
  });

  it.each([
    ['a key that is too short', 'k1:c2hvcnQ=', 'STEADFAST_CODEC_KEYS: key 1 must be <name>:'],
    ['a second key without a name', `${one},${two.slice(3)}`, 'STEADFAST_CODEC_KEYS: key 2 must'],
    ['two of one name', `${one},k1${two.slice(2)}`, 'names two keys "k1"'],
    ['nothing but commas', ' , ', 'holds no key'],
  ])('are refused with %s, and the message does not repeat it', (_, given, sentence) => {
    const told = refusal(readCodecKeys, { STEADFAST_CODEC_KEYS: given });
    expect(told).toContain(sentence);
    const secrets = given.split(',').map((key) => key.slice(3).trim());
    expect(secrets.filter((secret) => secret !== '' && told.includes(secret))).toEqual([]);
  });

  it('are refused from a file that others can read, or that does not exist', () => {
    const open = file('open', one, 0o644);
    const read = (path: string) => refusal(readCodecKeys, { STEADFAST_CODEC_KEYS_FILE: path });
    expect(read(open)).toMatch(/^STEADFAST_CODEC_KEYS_FILE: may be read by everybody,/);
    expect(read(join(folder, 'none'))).toMatch(/^STEADFAST_CODEC_KEYS_FILE: is not a file/);
  });

  it('are refused from both at once', () => {
    const path = file('both', one, 0o600);
    const env = { STEADFAST_CODEC_KEYS: one, STEADFAST_CODEC_KEYS_FILE: path };
    expect(refusal(readCodecKeys, env)).toMatch(/is set, and so is STEADFAST_CODEC_KEYS_FILE/);
  });
});

describe('the codec server', () => {
  const env = { STEADFAST_CODEC_KEYS: one, STEADFAST_CODEC_TOKEN: token };

  it('listens on loopback by default', () => {
    const { host, port, uiOrigin } = readCodecServerConfig(env);
    expect({ host, port, uiOrigin }).toEqual({ host: '127.0.0.1', port: 8234 });
  });

  it('also reads the token from a file', () => {
    const path = file('token', `${token}\n`, 0o400);
    const { STEADFAST_CODEC_KEYS } = env;
    const told = readCodecServerConfig({ STEADFAST_CODEC_KEYS, STEADFAST_CODEC_TOKEN_FILE: path });
    expect(told.token).toBe(token);
  });

  it.each([
    ['no keys', { STEADFAST_CODEC_KEYS: '' }, 'STEADFAST_CODEC_KEYS: is not set'],
    ['no token', { STEADFAST_CODEC_TOKEN: '' }, 'STEADFAST_CODEC_TOKEN: is not set'],
    ['a short token', { STEADFAST_CODEC_TOKEN: 'hunter2' }, 'at least 32 characters'],
    ['an invalid port', { STEADFAST_CODEC_PORT: '70000' }, 'STEADFAST_CODEC_PORT: must be'],
    ['an origin with a path', { STEADFAST_CODEC_UI_ORIGIN: 'http://ui/x' }, 'without a path'],
    ['any origin', { STEADFAST_CODEC_UI_ORIGIN: '*' }, 'STEADFAST_CODEC_UI_ORIGIN: must be'],
  ])('does not start with %s', (_, given, sentence) => {
    const told = refusal(readCodecServerConfig, { ...env, ...given });
    expect(told).toContain(sentence);
    expect(told).not.toContain('hunter2');
  });
});

it('is strict only when that is said, and only with a key', () => {
  const strict = { STEADFAST_CODEC_STRICT: '1' };
  const keys = readCodecKeys({ STEADFAST_CODEC_KEYS: one });
  expect([readStrictness(keys, {}), readStrictness(keys, strict)]).toEqual([false, true]);
  expect(() => readStrictness([], strict)).toThrow('STEADFAST_CODEC_KEYS: is not set, nor is');
  expect(() => readStrictness(keys, { STEADFAST_CODEC_STRICT: 'yes' })).toThrow('must be 1 or 0');
});
