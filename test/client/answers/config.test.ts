import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReceiver } from '../../../src/client/answers/config';
import { newFolder } from '../../support/jest/setUp';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const folder = newFolder();

const url = 'https://erp.example.org/steadfast';
const named = (more: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(more).map(([name, value]) => [`STEADFAST_ANSWERS_${name}`, value]),
  );
const reading = (more: Record<string, string>) => () => readReceiver(named(more));

test('without its variables there is no receiver', () => {
  expect(readReceiver({})).toBeUndefined();
});

test('a receiver has a URL and one secret, or several while one replaces another', () => {
  const read = readReceiver(named({ URL: url, SECRET: `${secret} ${other}` }));
  expect(read).toMatchObject({ url: new URL(url), isPrivate: false });
  expect(read?.keys.map((key) => key.length)).toEqual([32, 24]);
});

test('the secret may come from a file that only its owner reads', () => {
  const path = join(folder, 'secret');
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  expect(readReceiver(named({ URL: url, SECRET_FILE: path }))?.keys).toHaveLength(1);
  chmodSync(path, 0o644);
  expect(reading({ URL: url, SECRET_FILE: path })).toThrow('may be read by everybody');
});

test('a process that sends nothing needs no secret', () => {
  expect(readReceiver(named({ URL: url }), { signs: false })?.url.href).toBe(url);
});

test.each([
  ['a secret alone', { SECRET: secret }, 'STEADFAST_ANSWERS_URL: is not set, but another variable'],
  ['a URL alone', { URL: url }, 'STEADFAST_ANSWERS_SECRET: is not set, but STEADFAST_ANSWERS_URL'],
  ['no URL', { URL: 'erp', SECRET: secret }, 'must be a URL such as https://'],
  ['another protocol', { URL: 'ftp://erp.example.org', SECRET: secret }, 'must be a URL such as'],
  ['a password', { URL: 'https://a:b@erp.example.org', SECRET: secret }, 'a user or a password'],
  ['plain http', { URL: 'http://erp.example.org', SECRET: secret }, 'must begin with https://'],
  ['loopback', { URL: 'https://127.0.0.1/x', SECRET: secret }, 'set STEADFAST_ANSWERS_PRIVATE=1'],
  ['loopback as a number', { URL: 'https://2130706433', SECRET: secret }, '127.0.0.1 is on this'],
  ['loopback in octal', { URL: 'https://0177.0.0.1', SECRET: secret }, '127.0.0.1 is on this'],
  ['IPv6 loopback', { URL: 'https://[::1]/', SECRET: secret }, '::1 is on this machine'],
  ['a mapped address', { URL: 'https://[::ffff:10.0.0.1]/', SECRET: secret }, 'is on this machine'],
  ['a cloud’s own', { URL: 'https://169.254.169.254/', SECRET: secret }, 'is on this machine'],
  [
    'plain http to a public address',
    { URL: 'http://1.1.1.1/', SECRET: secret, PRIVATE: '1' },
    '1.1.1.1 is public. Use https://.',
  ],
  ['a short secret', { URL: url, SECRET: `whsec_${btoa('short')}` }, 'base64 of 24 to 64 bytes'],
  ['a bare secret', { URL: url, SECRET: 'hunter2' }, 'must be whsec_ and the base64'],
  ['a word for PRIVATE', { URL: url, SECRET: secret, PRIVATE: 'yes' }, 'must be 1, or not set'],
])('%s is a fault that names the variable, and never the secret', (_, given, fault) => {
  expect(reading(given)).toThrow(fault);
  expect(reading(given)).toThrow(/STEADFAST_ANSWERS_/);
  expect(reading(given)).not.toThrow(/hunter2|BwcH/);
});
