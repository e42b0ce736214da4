import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newReceipt } from '../../books/archive/stores';
import { newFolder } from '../../support/jest/setUp';
import { someone } from '../../support/stages';
import { runCli } from '../runCli';

const folder = newFolder();
const bookPath = join(folder, 'payees.csv');
const ann = someone();
const like = `${ann.slice(0, 6)}${someone().slice(6, 38)}${ann.slice(38)}`;
writeFileSync(bookPath, `name,address\nAnn Berg,${ann}\n`);

const env = { STEADFAST_ADDRESS_BOOK: bookPath, TEMPORAL_ADDRESS: '127.0.0.1:1' };

/** Starts a transfer where no Temporal answers. */
const transfer = (to: string, ...more: string[]) =>
  runCli(
    ['transfer', '--from', someone(), '--to', to, '--amount', '1', '--token', 'USDC'].concat(
      ['--id', 'transfer:checked'],
      more,
    ),
    env,
  );

test('a payment of the same euros at another rate is told, and none of its own', async () => {
  const store = `file:${join(folder, 'store')}`;
  const scope = { STEADFAST_STORE: store, STEADFAST_KEY_SCOPE: 'eu' };
  const archive = await openArchive(store);
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  const paidAs = (id: string, asked: string) => {
    const exchange = { amount: asked, currency: 'EUR', rate: '1.08', day: '2026-07-30' };
    const order = { id, kind: 'transferStablecoin', exchange };
    const from = someone();
    const money = { from, to: ann, token, amount: '107', baseUnits: '107000000' };
    return newReceipt({ order, money, time: new Date().toISOString() });
  };
  await archive.append([paidAs('eu:transfer:other', '100'), paidAs('eu:transfer:checked', '90')]);
  await archive.close();
  const inEuros = (asked: string) => {
    const path = join(folder, `${asked}.json`);
    const exchange = { amount: asked, currency: 'EUR', rate: '1.1', day: '2026-07-31' };
    const amount = String((Number(asked) * 11) / 10);
    writeFileSync(path, JSON.stringify({ exchange, to: ann, amount, token: 'USDC' }));
    const words = ['transfer', '--from', someone(), '--file', path, '--id', 'transfer:checked'];
    return runCli(words, { ...env, ...scope });
  };
  expect((await inEuros('100')).stderr).toContain('as in eu:transfer:other, less than a day ago');
  expect((await inEuros('90')).stderr).not.toContain('paidBefore');
});

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
