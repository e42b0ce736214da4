import Database from 'libsql';
import type { Archive } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import { paymentsOfText, shortForm } from '../../../src/books/archive/shortForm';
import { headOf, sqlArchive } from '../../../src/books/archive/sqlArchive';
import { archiveContents } from '../../../src/books/archive/tables';
import type { Paid } from '../../../src/checks/payment';
import { openFile } from '../../../src/store/openFile';
import { beginStores, endStores, newReceipt, type StoreKind, storeKinds } from './stores';

const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
const money = { from: `0x${'1'.repeat(40)}`, to, token, amount: '12.5', baseUnits: '12500000' };

beforeAll(beginStores);
afterAll(endStores);

/** All payments that an archive tells. */
async function paidIn(archive: Archive): Promise<Paid[]> {
  const paid: Paid[] = [];
  for await (const page of archive.payments()) paid.push(...page);
  return paid;
}

describe.each(storeKinds)('the payments of an archive in $name', ({ newPlace }) => {
  it('are told once each, in pages, also those that come after a reading', async () => {
    const archive = await openArchive(await newPlace());
    const paid = () => paidIn(archive);
    try {
      expect(await paid()).toEqual([]);
      const first = Array.from({ length: 3 }, () => newReceipt({ money }));
      await archive.append([...first, { ...newReceipt({ money }), outcome: 'failed' }]);
      expect(await paid()).toHaveLength(3);
      const [one] = first;
      await archive.append([newReceipt({ money })]);
      const all = await paid();
      expect(all).toHaveLength(4);
      expect(all[0]).toMatchObject({
        orderId: one?.order.id,
        lineId: one?.item,
        to: to.toLowerCase(),
        amount: '12.5',
        coin: 'native',
      });
      expect(await paid()).toEqual(all);
    } finally {
      await archive.close();
    }
  });
});

describe('the payments of an archive that is read after each receipt', () => {
  it('are read many rows at a time, and none twice or not at all', async () => {
    const [{ newPlace }] = storeKinds.filter(({ name }) => name === 'a file') as [StoreKind];
    const path = `${(await newPlace()).slice('file:'.length)}.archive`;
    const { database } = openFile(path, archiveContents, headOf);
    const archive = sqlArchive(database);
    const singles = 60;
    try {
      for (let one = 0; one < singles; one += 1) {
        await archive.append([newReceipt({ money })]);
        await paidIn(archive);
      }
      // A row after a gap in the numbers, as a restored archive may have.
      new Database(path).exec('UPDATE payments SET at = at + 9000 WHERE at = 60');
      const queries = jest.spyOn(database, 'read');
      const all = await paidIn(archive);
      expect(new Set(all.map(({ orderId }) => orderId)).size).toBe(singles);
      expect(all).toHaveLength(singles);
      expect(queries.mock.calls.length).toBeLessThan(8);
    } finally {
      await archive.close();
    }
  });

  it('leave others of the process a turn between their pages', async () => {
    const [{ newPlace }] = storeKinds.filter(({ name }) => name === 'a file') as [StoreKind];
    const archive = await openArchive(await newPlace());
    try {
      await archive.append([newReceipt({ money })]);
      let isOver = false;
      let turns = 0;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await paidIn(archive);
      const before = turns;
      await paidIn(archive);
      isOver = true;
      expect(turns).toBeGreaterThan(before + 1);
    } finally {
      await archive.close();
    }
  });

  it('have the digest of the payout that they are of', async () => {
    const [{ newPlace }] = storeKinds.filter(({ name }) => name === 'a file') as [StoreKind];
    const archive = await openArchive(await newPlace());
    const order = { id: 'payout:a', kind: 'payout', linesDigest: 'c401-4385' };
    try {
      await archive.append([newReceipt({ money, order }), newReceipt({ money, order })]);
      const digests = (await paidIn(archive)).map(({ linesDigest }) => linesDigest);
      expect(digests).toEqual(['c401-4385', 'c401-4385']);
    } finally {
      await archive.close();
    }
  });
});

describe('the short form of payments', () => {
  const paid = (more: Partial<Paid>): Paid => ({
    orderId: 'payout:a',
    lineId: 'l.1',
    isPayout: true,
    to: to.toLowerCase(),
    sender: money.from,
    amount: '12.5',
    coin: 'native',
    atMs: 1_767_225_600_000,
    ...more,
  });
  const exchange = { amount: '10', currency: 'EUR' };
  const all = [
    paid({ linesDigest: 'c401-4385' }),
    paid({ lineId: 'l.2', amount: '3', name: 'Ann', linesDigest: 'c401-4385' }),
    paid({ lineId: 'l.3', exchange }),
    paid({ lineId: '', orderId: 'transfer:b', isPayout: false, name: 'Bo', exchange }),
    paid({ coin: 'EURC' }),
    paid({ sender: undefined, atMs: undefined }),
    paid({}),
  ];

  it('keeps every field, in the order of the payments', () => {
    expect([...paymentsOfText(shortForm(all))]).toEqual(all);
    expect(shortForm([])).toBe('[]');
  });

  it('says what payments of one order share once', () => {
    const many = Array.from({ length: 100 }, (_, at) => paid({ lineId: `l.${at}` }));
    expect(shortForm(many).match(/payout:a/g)).toHaveLength(1);
    expect(shortForm(many).length * 2).toBeLessThan(JSON.stringify(many).length);
  });

  it('is read as an earlier version has kept it, too', () => {
    expect([...paymentsOfText(JSON.stringify(all))]).toEqual(all);
  });
});

describe('the payments of an archive whose file somebody holds', () => {
  it('are told all the same, although nothing can be written', async () => {
    const [{ newPlace }] = storeKinds.filter(({ name }) => name === 'a file') as [StoreKind];
    const place = await newPlace();
    const archive = await openArchive(place);
    await archive.append([newReceipt({ money })]);
    expect(await paidIn(archive)).toHaveLength(1);
    await archive.append([newReceipt({ money })]);
    const holder = new Database(`${place.slice('file:'.length)}.archive`);
    holder.exec('BEGIN IMMEDIATE');
    try {
      expect(await paidIn(archive)).toHaveLength(2);
    } finally {
      holder.close();
      await archive.close();
    }
  });
});
