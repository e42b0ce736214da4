import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localKeys } from '../../src/local/localKeys';
import { newFolder } from '../support/jest/setUp';

const folder = newFolder();

describe('localKeys', () => {
  test('makes keys of the form that the service has', () => {
    const { apiKey, entitySecret } = localKeys();
    expect(apiKey).toMatch(/^TEST_API_KEY:[0-9a-f]{32}:[0-9a-f]{32}$/);
    expect(entitySecret).toMatch(/^[0-9a-f]{64}$/);
    expect(localKeys()).not.toEqual({ apiKey, entitySecret });
  });

  test('keeps them where only the owner reads them', () => {
    const file = join(folder, 'new', 'keys.json');
    const keys = localKeys(file);
    expect(localKeys(file)).toEqual(keys);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('names the file when it holds no keys', () => {
    const file = join(folder, 'empty.json');
    writeFileSync(file, '{}');
    expect(() => localKeys(file)).toThrow(`${file} does not hold the keys of a local stack.`);
  });
});
