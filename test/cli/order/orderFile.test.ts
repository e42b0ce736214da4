import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrderFile } from '../../../src/cli/order/orderFile';
import { newFolder } from '../../support/jest/setUp';

const folder = newFolder();

function read(name: string, text: string): unknown {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readOrderFile(path);
}

it('reads JSON', () => {
  expect(read('a.json', '{"amount": "12.50", "from": {"walletId": "w"}}')).toEqual({
    amount: '12.50',
    from: { walletId: 'w' },
  });
});

it.each(['a.yaml', 'a.yml'])('reads YAML: %s', (name) => {
  expect(read(name, 'token: USDC\nfrom:\n  walletId: w\n')).toEqual({
    token: 'USDC',
    from: { walletId: 'w' },
  });
});

it('keeps unquoted amounts and addresses of YAML as they are written', () => {
  const address = `0x${'12'.repeat(20)}`;
  const text = `amount: 12.50\nto: ${address}\nbig: 1e3\ncount: 3\n`;
  expect(read('b.yaml', text)).toEqual({ amount: '12.50', to: address, big: '1e3', count: 3 });
});

it.each([
  ['c.csv', 'a,b', 'is neither .json nor .yaml'],
  ['c.json', '[1]', 'does not hold one order'],
  ['d.json', '{', 'is malformed'],
  ['c.yaml', 'a: [1', 'is malformed'],
  ['d.yaml', '', 'does not hold one order'],
])('refuses %s that holds %s', (name, text, sentence) => {
  expect(() => read(name, text)).toThrow(sentence);
});

it('refuses a file that is too large for an order, before it reads it', () => {
  expect(() => read('large.json', ' '.repeat(1_000_001))).toThrow(
    /^--file: \S+large\.json has 1000001 bytes, and an order file may have 1000000\. Is it a file of lines\?/,
  );
  expect(() => read('whole.json', ' '.repeat(1_000_000))).toThrow('is malformed');
});
