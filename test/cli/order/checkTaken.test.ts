import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { someone } from '../../support/stages';
import { runCli } from '../runCli';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-transfer-'));
const bookPath = join(folder, 'payees.csv');
const ann = someone();
const like = `${ann.slice(0, 6)}${someone().slice(6, 38)}${ann.slice(38)}`;
writeFileSync(bookPath, `name,address\nAnn Berg,${ann}\n`);
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a transfer where no Temporal answers. */
const transfer = (to: string, ...more: string[]) =>
  runCli(
    ['transfer', '--from', someone(), '--to', to, '--amount', '1', '--token', 'USDC'].concat(
      ['--id', 'transfer:checked'],
      more,
    ),
    { STEADFAST_ADDRESS_BOOK: bookPath, TEMPORAL_ADDRESS: '127.0.0.1:1' },
  );

const looksLike = `pays ${getAddress(like)}, which looks like ${getAddress(ann)}, "Ann Berg".`;

test('--strict refuses a transfer before it starts, and names the check', async () => {
  const { code, stderr } = await transfer(like, '--strict');
  expect(stderr).toContain('--strict: the checks have found something:');
  expect(stderr).toContain(`${looksLike} Compare every digit. (lookAlike)`);
  expect(code).toBe(2);
});

test('a finding is told before a transfer starts, with the book that was used', async () => {
  const { stderr } = await transfer(like);
  expect(stderr).toContain(looksLike);
  expect(stderr).toMatch(/checks with address book [0-9a-f]{16}/);
  expect(stderr).toContain('127.0.0.1:1');
});

test('the name of a payee stands beside the address in full, and no finding is told', async () => {
  const { stderr } = await transfer(ann);
  expect(stderr).toContain(`1 USDC to ${getAddress(ann)}, Ann Berg`);
  expect(stderr).not.toContain('lookAlike');
});
