import { fill } from '../../../src/books/reconcile/fill';
import { createTables } from '../../../src/books/reconcile/tables';
import { pacing } from '../../../src/books/records/pace';
import { pacedLister } from '../../../src/books/records/readRecords';
import { openScratch } from '../../../src/books/records/scratch';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { type Account, manyRecords, openAccount, second } from '../../store/index/account';
import { transferRecord } from '../../support/service/scriptedCustody';

const blockchain = 'ARC-TESTNET';
const period = { fromMs: Date.parse(second(0)), untilMs: Date.parse(second(100_000)) };
const unlimited = 100_000;

async function* none() {}

/** The records that a reconciliation has, by the word for their state. */
async function filled(account: Account, index?: ReturnType<typeof createAccountIndex>) {
  const scratch = openScratch();
  const tables = createTables(scratch.database);
  const list = pacedLister(account.custody, pacing(unlimited));
  await fill(tables, list, { blockchain, period, orders: none(), index });
  const states = new Map([...tables.records()].map(({ id, state }) => [id, state]));
  scratch.close();
  return states;
}

function at(account: Account, place: number): Transaction {
  const record = account.records[place];
  if (record === undefined) throw new Error(`There is no record ${place}.`);
  return record;
}

/** A warm index of an account. The records at some places were not final when it was read. */
async function warmed(account: Account, open: readonly number[] = []) {
  const index = createAccountIndex({ custody: account.custody, graceMs: 0 });
  for (const place of open) at(account, place).state = 'SENT';
  await index.lookUp([]);
  for (const place of open) at(account, place).state = 'COMPLETE';
  account.pages.length = 0;
  return index;
}

describe('the records of a reconciliation', () => {
  it('are the same from a warm index, which needs the newest page of the list alone', async () => {
    const account = openAccount(manyRecords(1_000));
    const index = await warmed(account);
    const known = await filled(account, index);
    expect(account.pages.length).toBe(1);
    expect(known).toEqual(await filled(account));
    expect(known.size).toBe(1_000);
  });

  it('have the state of now, where the index has seen an earlier one', async () => {
    const account = openAccount(manyRecords(1_000));
    const index = await warmed(account, [3, 500, 501, 530, 900]);
    const known = await filled(account, index);
    expect([...new Set(known.values())]).toEqual(['COMPLETE']);
    // The newest page, one from the oldest such record on, and one for the three that are together.
    expect(account.pages.length).toBe(3);
    account.pages.length = 0;
    await filled(account, index);
    expect(account.pages.length).toBe(1);
  });

  it('are read on where many of one moment were not final', async () => {
    const account = openAccount(manyRecords(300));
    const many = Array.from({ length: 120 }, (_, n) => n + 100);
    for (const place of many) at(account, place).createDate = second(100);
    const index = await warmed(account, many);
    expect([...new Set((await filled(account, index)).values())]).toEqual(['COMPLETE']);
  });

  it('lack what the list does not have any more', async () => {
    const account = openAccount(manyRecords(300));
    const index = await warmed(account, [150]);
    const [gone] = account.records.splice(150, 1);
    const known = await filled(account, index);
    expect([known.size, known.has(gone?.id ?? '')]).toEqual([299, false]);
  });

  it('are in flight if they still are', async () => {
    const account = openAccount(manyRecords(100));
    const index = await warmed(account, [50]);
    at(account, 50).state = 'QUEUED';
    expect((await filled(account, index)).get(at(account, 50).id)).toBe('QUEUED');
  });
});

it.each([
  ['invoice 7', false],
  [refId({ workflowId: 'transfer:1', step: 'transfer', item: '1', generation: 0 }), true],
])('an account has paid with an archive: %s is a reference of ours, %s', (refId, isOurs) => {
  const scratch = openScratch();
  const tables = createTables(scratch.database);
  tables.keepRecords([transferRecord({ refId, state: 'COMPLETE' })]);
  expect(tables.hasPaid()).toBe(isOurs);
  tables.keepRecords([transferRecord({ refId, state: 'COMPLETE' })]);
  scratch.close();
});
