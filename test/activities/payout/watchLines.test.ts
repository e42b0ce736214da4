import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Watch, type Watched, watchActivities } from '../../../activities/payout/watchLines';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import {
  type Account,
  manyRecords,
  openAccount,
  recordOf,
  tooMany,
} from '../../store/index/account';

const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

// The records are of January 2026, so the worker's clock is far from the service's.
function watching(account: Account) {
  const index = createAccountIndex({ custody: account.custody, graceMs: 600_000 });
  const { watchLines } = watchActivities(account.custody, index);
  const watchFor = (waits: Partial<Watch>, ...records: Transaction[]) => {
    const ends = records.map(({ id }) => id.slice(-8)).join('');
    const walletIds = [...new Set(records.map(({ walletId = '' }) => walletId))];
    const input = { walletIds, ends, everyMs: 1, patienceMs: 20, ...waits };
    return environment().run<[Watch], Watched, typeof watchLines>(watchLines, input);
  };
  const watch = (...records: Transaction[]) => watchFor({}, ...records);
  return { index, watch, watchFor };
}

const pagesAfter = async (account: Account, call: () => Promise<unknown>): Promise<number> => {
  account.pages = [];
  await call();
  return account.pages.length;
};

describe('a poll of lines', () => {
  it('finds those that are final, whatever the clock of the worker says', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const [paid, open] = [recordOf('a', 200), recordOf('b', 201, { state: 'SENT' })];
    account.records.unshift(open, paid);
    const { final } = await watch(paid, open);
    expect(final.map(({ id }) => id)).toEqual([paid.id]);
  });

  it('waits a while for the others of the first that is final', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watchFor } = watching(account);
    await index.lookUp([]);
    const [first, second] = [recordOf('a', 200), recordOf('b', 201, { state: 'SENT' })];
    account.records.unshift(second, first);
    const gathered = watchFor({ patienceMs: 60_000, gatherMs: 60_000 }, first, second);
    setTimeout(() => Object.assign(second, { state: 'COMPLETE' }), 50);
    expect((await gathered).final).toHaveLength(2);
    second.state = 'SENT';
    const alone = await watchFor({ patienceMs: 60_000, gatherMs: 20 }, first, second);
    expect(alone.final.map(({ id }) => id)).toEqual([first.id]);
  });

  it('reads back to a line that was sent long ago, and no further', async () => {
    const stuck = recordOf('stuck', 1_000, { state: 'STUCK' });
    const account = openAccount([
      ...manyRecords(4_000).slice(0, 2_999),
      stuck,
      ...manyRecords(1_000),
    ]);
    const { index, watch } = watching(account);
    await index.lookUp([]);
    stuck.state = 'COMPLETE';
    expect(await pagesAfter(account, () => watch(stuck))).toBe(60);
    expect((await watch(stuck)).final[0]?.id).toBe(stuck.id);
  });

  it('does not read the whole list for a line that does not show yet', async () => {
    const account = openAccount(manyRecords(12_000));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const hidden = recordOf('hidden', 12_000);
    // The first poll reads one grace period, and each later one a single page.
    expect(await pagesAfter(account, () => watch(hidden))).toBeLessThan(13 + 20);
  });

  it('reads no page more for inbound records', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const paid = recordOf('a', 200);
    const dust = Array.from({ length: 5_000 }, () =>
      recordOf('dust', 201, { transactionType: 'INBOUND' }),
    );
    account.records.unshift(...dust, paid);
    expect(await pagesAfter(account, () => watch(paid))).toBe(1);
  });

  it('names those that the list does not show', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const [open, lost] = [recordOf('b', 201, { state: 'SENT' }), recordOf('a', 200)];
    account.records.unshift(open);
    expect(await watch(open, lost)).toEqual({ final: [], missing: [lost.id.slice(-8)] });
  });

  it('leaves the rate limit to Temporal, and tells first what it has seen', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const [paid, hidden] = [recordOf('a', 200), recordOf('b', 201)];
    account.records.unshift(paid);
    let polled = 0;
    account.onPage = () => (++polled % 2 === 0 ? tooMany() : undefined);
    const { final, missing } = await watch(paid, hidden);
    expect(final.map(({ id }) => id)).toEqual([paid.id]);
    expect(missing).toEqual([]);
    account.onPage = () => tooMany();
    await expect(watch(paid)).rejects.toMatchObject({ nextRetryDelay: 5 });
  });
});
