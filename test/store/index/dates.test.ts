import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { openIndexFile } from '../../../src/store/index/store';
import {
  apartMs,
  graceMs,
  indexOf,
  manyRecords,
  more,
  openAccount,
  recordOf,
  second,
  statesOf,
} from './account';

describe('a wrong date', () => {
  it.each([
    ['in the future', { createDate: second(86_400 * 365) }],
    ['far in the future', { createDate: '2999-01-01T00:00:00Z' }],
    ['in the past', { createDate: '1970-01-01T00:00:00Z' }],
    ['that is none', { createDate: 'yesterday' }],
  ])('%s at the top of the list ends no later reading too early', async (_, date) => {
    const account = openAccount([recordOf('odd', 0, date), ...manyRecords(100)]);
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(1, 0, ...more(200, 100));
    expect(await statesOf(index, 'more-5')).toEqual(['COMPLETE']);
    account.records.splice(1, 0, recordOf('late', 50));
    expect(await statesOf(index, 'late')).toEqual(['COMPLETE']);
  });

  it('in the past at the end of a page ends no reading', async () => {
    const account = openAccount(manyRecords(2_000));
    const index = indexOf(account);
    await index.lookUp([]);
    // It shows late, behind newer ones, as the grace period allows.
    account.records.splice(590, 0, recordOf('late', 1_410));
    for (const at of [49, 99, 149]) {
      const record = account.records[at];
      if (record) record.createDate = '1970-01-01T00:00:00Z';
    }
    expect(await statesOf(index, 'late')).toEqual(['COMPLETE']);
  });

  it('makes no later reading longer, once it is further down', async () => {
    const odd = recordOf('odd', 0, { createDate: '2999-01-01T00:00:00Z' });
    const account = openAccount([odd, ...manyRecords(3_000)]);
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.unshift(...more(100, 3_000));
    await index.lookUp([]);
    account.pages = [];
    await index.lookUp([]);
    expect(account.pages.length).toBeLessThan(20);
  });

  it('is kept by no store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-lies-'));
    const databases = [1, 2].map(() => openIndexFile(join(folder, 'store.db')));
    const odd = recordOf('odd', 0, { createDate: '2999-01-01T00:00:00Z' });
    const account = openAccount([odd, ...manyRecords(100)]);
    const { custody } = account;
    const [one, other] = databases.map((database) =>
      createAccountIndex({ custody, graceMs, apartMs, store: { database, baseUrl: 'http://x' } }),
    );
    await one?.lookUp([]);
    account.records.splice(1, 0, ...more(200, 100));
    expect(other && (await statesOf(other, 'more-5'))).toEqual(['COMPLETE']);
    for (const database of databases) database.close();
    rmSync(folder, { recursive: true });
  });
});
