import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'libsql';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { openIndexFile } from '../../../src/store/index/store';
import { type Account, hashOf, manyRecords, openAccount, recordOf, tooMany } from './account';

let folder: string;
let path: string;
const open: Database.Database[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-store-'));
  path = join(folder, 'store.db');
});

afterEach(() => {
  for (const database of open.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

/** The index of a worker process that has just started. */
function started({ custody }: Account, baseUrl = 'http://service') {
  const database = openIndexFile(path);
  open.push(database);
  return createAccountIndex({ custody, graceMs: 60_000, store: { database, baseUrl } });
}

/** Looks an order up with a worker that has just started. Counts pages and records. */
async function lookUp(account: Account, order = 'order-0') {
  account.pages = [];
  const { entries } = await started(account).lookUp([hashOf(order)]);
  return { pages: account.pages.length, found: entries.length };
}

const whole = { pages: 41, found: 1 };
const head = { pages: 2, found: 1 };

it('keeps the index, so that a worker that starts again reads the head of the list only', async () => {
  const account = openAccount(manyRecords(2_000));
  expect(await lookUp(account)).toEqual(whole);
  expect(await lookUp(account)).toEqual(head);
});

it('is readable by its owner alone', async () => {
  await lookUp(openAccount(manyRecords(10)));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('continues the pass of a worker that was killed in the middle, and reads the head after it', async () => {
  const account = openAccount(manyRecords(2_000));
  account.onPage = (page) => (page === 30 ? tooMany() : undefined);
  await expect(started(account).lookUp([])).rejects.toMatchObject({ status: 429 });
  account.records.unshift(recordOf('meanwhile', 2_000));
  account.onPage = () => undefined;
  expect(await lookUp(account, 'meanwhile')).toEqual({ pages: 12 + 2, found: 1 });
  expect(await lookUp(account)).toEqual(head);
});

describe('a store costs one pass and nothing else', () => {
  it('that is lost', async () => {
    const account = openAccount(manyRecords(2_000));
    await lookUp(account);
    for (const database of open.splice(0)) database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    expect(await lookUp(account)).toEqual(whole);
    expect(await lookUp(account)).toEqual(head);
  });

  it.each([
    ['is no database', () => writeFileSync(path, 'not a database '.repeat(1_000))],
    ['is cut off', () => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)],
    ['is garbled in the middle', () => garble(path)],
  ])('that %s, and is put aside', async (_, damage) => {
    const account = openAccount(manyRecords(2_000));
    await lookUp(account);
    for (const database of open.splice(0)) database.close();
    damage();
    expect(await lookUp(account)).toEqual(whole);
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(await lookUp(account)).toEqual(head);
  });

  it('that is of another account or another service', async () => {
    const account = openAccount(manyRecords(2_000));
    await lookUp(account);
    const other = openAccount([recordOf('theirs'), ...manyRecords(1_999).slice(0, -1)]);
    expect(await lookUp(other, 'theirs')).toEqual({ pages: 41, found: 1 });
    expect(await lookUp(other, 'order-0')).toEqual({ pages: 2, found: 0 });
    const elsewhere = started(account, 'http://elsewhere');
    account.pages = [];
    await elsewhere.lookUp([]);
    expect(account.pages).toHaveLength(41);
    // Each keeps its own.
    expect(await lookUp(account)).toEqual(head);
  });

  it('whose pass ends at a record that the service has no more', async () => {
    const account = openAccount(manyRecords(2_000));
    account.onPage = (page) => (page === 30 ? tooMany() : undefined);
    await expect(started(account).lookUp([])).rejects.toMatchObject({ status: 429 });
    account.onPage = () => undefined;
    account.records.splice(600, 1_399);
    const { found } = await lookUp(account);
    expect(found).toBe(1);
  });
});

it('is shared by several workers, each with a question of its own', async () => {
  const account = openAccount(manyRecords(2_000));
  const [one, other] = [started(account), started(account)];
  const found = await Promise.all([
    one.lookUp([hashOf('order-1')]),
    other.lookUp([hashOf('order-2')]),
  ]);
  expect(found.map(({ entries }) => entries.length)).toEqual([1, 1]);
  account.records.unshift(recordOf('new', 2_000));
  expect((await other.lookUp([hashOf('new')])).entries).toHaveLength(1);
  expect((await one.lookUp([hashOf('new')])).entries).toHaveLength(1);
  expect(await lookUp(account, 'new')).toEqual(head);
});

/** Writes over pages in the middle of a file. */
function garble(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 40 * 4096, 60 * 4096);
  writeFileSync(file, bytes);
}
