import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { checkWithPaid } from '../../../src/books/archive/checkWithPaid';
import { openArchive, openExistingArchive } from '../../../src/books/archive/openArchive';
import { emptyBook } from '../../../src/checks/book';
import { beginStores, endStores, newReceipt, type StoreKind, storeKinds } from './stores';

const to = `0x523b27014ba9331e4a6c1bd7bc3b2b9f3b2bec7d`;
const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
const money = { from: `0x${'1'.repeat(40)}`, to, token, amount: '12.5', baseUnits: '12500000' };
const order = { payments: [{ lineId: 'l.1', to, amount: '12.5', token: 'USDC' }], wallets: [] };
const count = 300;

beforeAll(beginStores);
afterAll(endStores);

/** A store in a file with many receipts. Its short forms are kept, and nothing is in its log. */
async function filledStore(): Promise<{ store: string; path: string }> {
  const [{ newPlace }] = storeKinds.filter(({ name }) => name === 'a file') as [StoreKind];
  const store = await newPlace();
  const path = `${store.slice('file:'.length)}.archive`;
  const archive = await openArchive(store);
  await archive.append(Array.from({ length: count }, () => newReceipt({ money })));
  for await (const _ of archive.payments());
  await archive.close();
  const database = new Database(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { store, path };
}

/** Fills the page of a file that has a text with other bytes. */
function damage(path: string, text: string): void {
  const bytes = readFileSync(path);
  const page = 4_096;
  const start = Math.floor(bytes.indexOf(text) / page) * page;
  writeFileSync(path, bytes.fill(0x5a, start, start + page));
}

describe('checks with an archive', () => {
  it('read its payments alone, and not all of its receipts before', async () => {
    const { store, path } = await filledStore();
    damage(path, '"id":"transfer:100"');
    await expect(openExistingArchive(store)).rejects.toThrow('is damaged');
    const { checked, fault } = await checkWithPaid(order, { book: emptyBook, store });
    expect(fault).toBeUndefined();
    expect(checked.payments).toBe(count);
  });

  it('leave out what was paid if that is damaged, and say so', async () => {
    const damages = [
      (path: string) => damage(path, '"paid":['),
      (path: string) => {
        const database = new Database(path);
        database.exec("UPDATE payments SET doc = 'no JSON'");
        database.close();
      },
    ];
    for (const harm of damages) {
      const { store, path } = await filledStore();
      harm(path);
      const { checked, fault } = await checkWithPaid(order, { book: emptyBook, store });
      expect(fault).toMatch(/is damaged|somebody has changed it/);
      expect(checked.payments).toBeUndefined();
    }
  });
});
