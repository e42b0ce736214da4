import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { Archive, ReceiptFilter } from '../../../src/books/archive/archive';
import { dayFilesOf, readDays } from '../../../src/books/archive/dayFiles';
import { openArchive, openExistingArchive } from '../../../src/books/archive/openArchive';
import { verifyArchive, verifySince } from '../../../src/books/archive/verify';
import type { ArchivedReceipt } from '../../../src/books/receipt';
import { beginStores, endStores, newReceipt, storeKinds } from './stores';

let place: string;
const open: Archive[] = [];

async function opened(at = place): Promise<Archive> {
  const archive = await openArchive(at);
  open.push(archive);
  return archive;
}

async function all(archive: Archive, wanted?: ReceiptFilter): Promise<ArchivedReceipt[]> {
  const found: ArchivedReceipt[] = [];
  for await (const one of archive.receipts(wanted)) found.push(one);
  return found;
}

beforeAll(beginStores);
afterAll(endStores);
afterEach(async () => {
  await Promise.all(open.splice(0).map((archive) => archive.close()));
});

describe.each(storeKinds)('an archive in $name', ({ newPlace }) => {
  beforeEach(async () => {
    place = await newPlace();
  });

  it('keeps each write once, however often it is added, and by whom', async () => {
    const [one, other] = [await opened(), await opened()];
    const receipts = Array.from({ length: 20 }, () => newReceipt());
    const counts = await Promise.all([one, other, one, other].map((at) => at.append(receipts)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    expect((await all(other)).map(({ key }) => key)).toEqual(receipts.map(({ key }) => key));
    expect(await one.head()).toEqual(await other.head());
  });

  it('keeps a receipt that contradicts an earlier one of its write, once, and tells of it', async () => {
    const archive = await opened();
    const honest = newReceipt();
    const forged = { ...honest, transactionId: 'another', outcome: 'failed' as const };
    expect(await archive.append([forged])).toBe(1);
    expect(await archive.append([honest])).toBe(1);
    for (const again of [honest, forged]) expect(await archive.append([again])).toBe(0);
    const third = { ...honest, sender: `0x${'9'.repeat(40)}` };
    expect(await archive.append([third, third])).toBe(1);
    const kept = await all(archive, { orderId: honest.order.id });
    expect(kept.map(({ transactionId }) => transactionId)).toEqual([
      'another',
      honest.transactionId,
      honest.transactionId,
    ]);
    const [first] = kept;
    expect(kept.map(({ contradicts }) => contradicts)).toEqual([
      undefined,
      first?.hash,
      first?.hash,
    ]);
    expect(await archive.contradicting(9)).toEqual(kept.slice(1).reverse());
    const verified = await verifyArchive(archive.entries());
    const name = `${honest.order.id} ${honest.step}/${honest.item}`;
    expect(verified).toMatchObject({ rows: 3, contradicting: [name, name] });
    expect(verified.fault).toBeUndefined();
  });

  it('keeps one receipt of a write that another worker knows less of', async () => {
    const archive = await opened();
    const one = newReceipt({ sender: `0x${'a'.repeat(40)}` });
    const { blockchain, chainId, txHash } = one.chain;
    const { fee: _, grounds: __, ...less } = one;
    const short = { ...less, chain: { blockchain, chainId, txHash: txHash?.toUpperCase() } };
    expect(await archive.append([one])).toBe(1);
    const { digest: ___, ...order } = one.order;
    const shorter = { ...short, order, time: new Date(0).toISOString() };
    expect(await archive.append([{ ...shorter, sender: `0x${'A'.repeat(40)}` }])).toBe(0);
    expect(await archive.contradicting(9)).toEqual([]);
  });

  it('chains the receipts of each order', async () => {
    const archive = await opened();
    const order = newReceipt().order;
    await archive.append([newReceipt({ order }), newReceipt(), newReceipt({ order })]);
    await (await opened()).append([newReceipt({ order })]);
    const own = await all(archive, { orderId: order.id });
    expect(own.map((one) => one.place)).toEqual([1, 2, 3]);
    expect(own.map((one) => one.previous)).toEqual(['', own[0]?.hash, own[1]?.hash]);
    expect((await verifyArchive(archive.entries())).fault).toBeUndefined();
  });

  it('reads the receipts of a period, sorted by their time, page by page', async () => {
    const archive = await opened();
    const receipts = Array.from({ length: 1_203 }, (_, at) =>
      newReceipt({ time: new Date(Math.floor(at / 3) * 1_000).toISOString() }),
    );
    await archive.append(receipts.toReversed());
    const found = await all(archive, { fromMs: 1_000, untilMs: 400_000 });
    expect(found).toHaveLength(399 * 3);
    const times = found.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(await all(archive)).toHaveLength(1_203);
  });

  it('tells rows that were cut off by a head that was noted before', async () => {
    const archive = await opened();
    await archive.append([newReceipt(), newReceipt()]);
    const head = await archive.head();
    if (head === undefined) throw new Error('It has no head.');
    expect((await verifyArchive(archive.entries(), [head])).fault).toBeUndefined();
    const longer = [{ ...head, at: 3 }];
    const cut = 'It ends at row 2, but row 3 was in it before.';
    expect((await verifyArchive(archive.entries(), longer)).fault).toBe(cut);
    const another = [{ ...head, stamp: '0'.repeat(64) }];
    expect((await verifyArchive(archive.entries(), another)).fault).toContain('Row 2 has another');
  });
});

/** Times of receipts, each an hour after the one before it. */
const hour = (at: number): string => new Date(Date.UTC(2026, 5, 1, at)).toISOString();

describe.each(storeKinds)('the rows of a period in $name', ({ newPlace }) => {
  beforeEach(async () => {
    place = await newPlace();
  });

  it('are checked from the last older one on, however many are older', async () => {
    const archive = await opened();
    await archive.append(Array.from({ length: 30 }, (_, at) => newReceipt({ time: hour(at) })));
    let read = 0;
    const counting = {
      rowBefore: archive.rowBefore,
      async *rowsFrom(at: number) {
        for await (const entry of archive.rowsFrom(at)) {
          read += 1;
          yield entry;
        }
      },
    };
    const { rows, fault } = await verifySince(counting, Date.parse(hour(27)));
    expect({ rows, fault, read }).toEqual({ rows: 30, fault: undefined, read: 4 });
    expect((await verifySince(archive, 0)).rows).toBe(30);
    expect((await verifySince(archive, Date.parse(hour(99)))).fault).toBeUndefined();
  });

  it('are all checked where an order ended late, or was brought in later', async () => {
    const archive = await opened();
    const { order } = newReceipt();
    const times = [1, 9, 2, 8, 3, 7].map((at) => newReceipt({ order, time: hour(at) }));
    await archive.append(times);
    expect(await archive.rowBefore(Date.parse(hour(8)))).toBe(1);
    expect((await verifySince(archive, Date.parse(hour(8)))).fault).toBeUndefined();
  });
});

describe.each(storeKinds)('an archive in $name that nobody has made', ({ newPlace }) => {
  it('is not made by reading it, and is there once somebody has opened it to write', async () => {
    place = await newPlace();
    for (const _ of [1, 2]) {
      await expect(openExistingArchive(place).then((one) => one.close())).rejects.toThrow(
        'STEADFAST_STORE: there is no archive at ',
      );
    }
    await opened();
    await (await openExistingArchive(place)).close();
  });
});

describe('an archive that somebody has changed', () => {
  const since = Date.parse(hour(3));

  /** Five receipts, the last two of them of the period. */
  async function changedBy(sql: string): Promise<Archive> {
    place = (await storeKinds[0]?.newPlace()) ?? '';
    const archive = await opened();
    await archive.append([0, 1, 2, 3, 4].map((at) => newReceipt({ time: hour(at) })));
    const database = new Database(`${place.slice('file:'.length)}.archive`);
    database.exec(sql);
    database.close();
    return archive;
  }

  it.each([
    [`UPDATE receipts SET doc = replace(doc, 'completed', 'failed') WHERE at = 4`, /^Row 4 .*hash/],
    [`UPDATE receipts SET stamp = '${'0'.repeat(64)}' WHERE at = 5`, /^Row 5 .*stamp/],
    ['DELETE FROM receipts WHERE at = 4', /^Row 4 is missing/],
    ['DELETE FROM receipts WHERE at = 3', /^Row 3 is missing/],
  ])('names the row of the period: %s', async (sql, fault) => {
    expect((await verifySince(await changedBy(sql), since)).fault).toMatch(fault);
  });

  it('names an older row only where the whole archive is checked', async () => {
    const sql = `UPDATE receipts SET doc = replace(doc, 'completed', 'failed') WHERE at = 2`;
    const archive = await changedBy(sql);
    expect((await verifySince(archive, since)).fault).toBeUndefined();
    expect((await verifyArchive(archive.entries())).fault).toMatch(/^Row 2 .*hash/);
  });

  it('names the row of a folder whose database has another one than the day file', async () => {
    place = (await storeKinds[1]?.newPlace()) ?? '';
    const archive = await opened();
    await archive.append([newReceipt(), newReceipt()]);
    const database = new Database(join(place.slice('folder:'.length), 'archive.db'));
    database.exec(`UPDATE receipts SET doc = replace(doc, 'completed', 'failed') WHERE at = 2`);
    database.close();
    await expect(verifyArchive(archive.entries())).rejects.toThrow(
      'Row 2 of archive.db is not the one in its day file',
    );
    expect((await verifySince(archive, 0)).fault).toMatch(/^Row 2 .*hash/);
  });

  it.each([
    ['write', "'abc'"],
    ['"orderId"', "'transfer:x'"],
    ['"timeMs"', '"timeMs" - 1'],
    ['place', '7'],
    ['hash', "'00'"],
  ])('names the row that is found by another %s than its receipt has', async (column, value) => {
    const archive = await changedBy(`UPDATE receipts SET ${column} = ${value} WHERE at = 4`);
    const words = `Row 4 of the archive has another ${column.replaceAll('"', '')}`;
    await expect(verifyArchive(archive.entries())).rejects.toThrow(words);
    await expect(verifySince(archive, since)).rejects.toThrow(words);
  });

  const changes: readonly (readonly [sql: string, fault: RegExp])[] = [
    [`UPDATE receipts SET doc = replace(doc, 'completed', 'failed') WHERE at = 3`, /^Row 3 .*hash/],
    ['DELETE FROM receipts WHERE at = 2', /^Row 2 is missing/],
    [`UPDATE receipts SET stamp = '${'0'.repeat(64)}' WHERE at = 4`, /^Row 4 .*stamp/],
    [`UPDATE receipts SET doc = '{}' WHERE at = 1`, /^Row 1 is not a receipt/],
  ];

  it.each(changes)('names the row: %s', async (sql, fault) => {
    place = (await storeKinds[0]?.newPlace()) ?? '';
    const archive = await opened();
    await archive.append(Array.from({ length: 5 }, () => newReceipt()));
    const database = new Database(`${place.slice('file:'.length)}.archive`);
    database.exec(sql);
    database.close();
    expect((await verifyArchive(archive.entries())).fault).toMatch(fault);
  });

  it('names the row in a day file, and writes over a line that a crash has left', async () => {
    place = (await storeKinds[1]?.newPlace()) ?? '';
    const folder = place.slice('folder:'.length);
    const archive = await opened();
    await archive.append([newReceipt(), newReceipt()]);
    const path = join(folder, dayFilesOf(folder)[0] ?? '');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, `${before}{"at":3,"stamp":"a line that no transaction has`);
    await archive.append([newReceipt()]);
    expect((await verifyArchive(archive.entries())).rows).toBe(3);
    writeFileSync(path, readFileSync(path, 'utf8').replace('completed', 'completeD'));
    expect((await verifyArchive(archive.entries())).fault).toMatch(/^Row 1 is not a receipt/);
  });
});

describe('a folder whose day files have lines that its database does not count', () => {
  let folder: string;
  const filesOf = (form: RegExp): string[] => readdirSync(folder).filter((name) => form.test(name));
  const setAside = (): string =>
    filesOf(/\.cut-/)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');

  beforeEach(async () => {
    place = (await storeKinds[1]?.newPlace()) ?? '';
    folder = place.slice('folder:'.length);
  });

  it('is checked up to the rows that were there, while a worker adds more', async () => {
    const archive = await opened();
    await archive.append([newReceipt(), newReceipt(), newReceipt()]);
    const worker = await opened();
    let read = 0;
    for await (const entry of archive.entries()) {
      read = entry.at;
      await worker.append([newReceipt()]);
    }
    expect(read).toBe(3);
    expect(await verifyArchive(archive.entries())).toMatchObject({ rows: 6 });
  });

  it('is whole after a worker was killed before its commit, and goes on', async () => {
    const archive = await opened();
    await archive.append([newReceipt(), newReceipt()]);
    const [name = ''] = dayFilesOf(folder);
    const killed = `${JSON.stringify({ at: 3, stamp: 'x', receipt: newReceipt() })}\n`;
    appendFileSync(join(folder, name), killed);
    const head = await archive.head();
    expect(await verifyArchive(archive.entries())).toEqual({ rows: 2, head });
    await archive.append([newReceipt()]);
    expect(await verifyArchive(archive.entries())).toMatchObject({ rows: 3 });
    expect(setAside()).toBe(killed);
  });

  it('tells a file of receipts from a day file', async () => {
    await opened();
    const path = join(folder, 'receipts.jsonl');
    writeFileSync(path, `${JSON.stringify(newReceipt())}\n`);
    await expect(verifyArchive(readDays([{ path }]))).rejects.toThrow(
      `${path}, line 1 is no row of an archive. Receipts by themselves are checked with: ` +
        'npx --no-install steadfast receipt verify',
    );
  });

  it('keeps the lines that are newer than a database from a backup', async () => {
    const archive = await opened();
    await archive.append([newReceipt()]);
    const backup = (await storeKinds[1]?.newPlace()) ?? '';
    cpSync(folder, backup.slice('folder:'.length), { recursive: true });
    const lost = newReceipt();
    await archive.append([lost]);
    const [name = ''] = dayFilesOf(folder);
    const lines = readFileSync(join(folder, name));
    folder = backup.slice('folder:'.length);
    writeFileSync(join(folder, name), lines);
    writeFileSync(join(folder, '2999-01-01.jsonl'), 'a line of a later day\n');

    const restored = await opened(backup);
    await restored.append([newReceipt()]);
    const head = await restored.head();
    expect(await verifyArchive(restored.entries())).toEqual({ rows: 2, head });
    expect(setAside()).toContain(lost.key);
    expect(setAside()).toContain('a line of a later day');
    const days = dayFilesOf(folder).map((each) => ({ path: join(folder, each) }));
    expect(await verifyArchive(readDays(days))).toEqual({ rows: 2, head });
  });
});
