import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import {
  type LineWatch,
  type WatchedLines,
  watchActivities,
} from '../../../activities/payout/watchLines';
import { RefusedError, UnexpectedAnswerError } from '../../../src/custody/errors';
import { type Transaction, transactionSchema } from '../../../src/custody/objects/transaction';
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
  const watchFor = (waits: Partial<LineWatch>, ...records: Transaction[]) => {
    const ids = records.map(({ id }) => id);
    const walletIds = [...new Set(records.map(({ walletId = '' }) => walletId))];
    const input = { walletIds, ids, everyMs: 1, patienceMs: 20, ...waits };
    return environment().run<[LineWatch], WatchedLines, typeof watchLines>(watchLines, input);
  };
  const watch = (...records: Transaction[]) => watchFor({}, ...records);
  return { index, watch, watchFor };
}

const pagesAfter = async (account: Account, call: () => Promise<unknown>): Promise<number> => {
  account.pages = [];
  await call();
  return account.pages.length;
};

/** Has the service answer some records as no client can read them, in its list or alone. */
function garble(
  account: Account,
  { listed = [], alone = [] }: Record<'listed' | 'alone', string[]>,
) {
  const { listTransactions, getTransaction } = account.custody;
  const unread = (id: string) =>
    new UnexpectedAnswerError(`Transaction ${id} is not the interface.`, { status: 200 });
  account.custody.listTransactions = async (input, how) => {
    const { transactions } = await listTransactions(input, how);
    const read = (one: Transaction) => {
      if (!listed.includes(one.id)) return one;
      const salvaged = how?.salvage?.({ ...one, amounts: 5 });
      if (salvaged === undefined) throw unread(one.id);
      return { ...transactionSchema.parse(salvaged) };
    };
    return { transactions: transactions.map(read) };
  };
  account.custody.getTransaction = async (input, how) => {
    if (alone.includes(input.id)) throw unread(input.id);
    return getTransaction(input, how);
  };
}

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

  it('tells at once of a final word that the service has withdrawn', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watchFor } = watching(account);
    await index.lookUp([]);
    const [corrected, open] = [200, 201].map((at) => recordOf(`${at}`, at, { state: 'QUEUED' }));
    if (corrected === undefined || open === undefined) throw new Error('There are no records.');
    account.records.unshift(open, corrected);
    const waits = { heard: [corrected.id], patienceMs: 60_000 };
    const { final, withdrawn } = await watchFor(waits, corrected, open);
    expect(final).toEqual([]);
    expect(withdrawn).toMatchObject([{ id: corrected.id, state: 'QUEUED' }]);
  });

  it('names those that the list does not show', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const [open, lost] = [recordOf('b', 201, { state: 'SENT' }), recordOf('a', 200)];
    account.records.unshift(open);
    expect(await watch(open, lost)).toEqual({ final: [], missing: [lost.id], unread: [] });
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

describe('a poll of lines, where a record in the list cannot be read,', () => {
  /** Two lines, and a record of somebody else from the same wallet between them. */
  const given = async (states: { newer?: string; older?: string } = {}) => {
    const account = openAccount(manyRecords(200));
    const watched = watching(account);
    await watched.index.lookUp([]);
    const [older, odd, newer] = [
      recordOf('a', 200, { state: states.older ?? 'COMPLETE' }),
      recordOf('odd', 201, { refId: undefined }),
      recordOf('b', 202, { state: states.newer ?? 'SENT' }),
    ];
    account.records.unshift(newer, odd, older);
    return { account, older, odd, newer, ...watched };
  };
  const idsOf = ({ final }: WatchedLines) => final.map(({ id }) => id);

  it('hears of all others', async () => {
    const { account, older, odd, newer, watch } = await given();
    garble(account, { listed: [odd.id], alone: [odd.id] });
    expect(idsOf(await watch(older, newer))).toEqual([older.id]);
  });

  it('reads its own record alone', async () => {
    const { account, older, newer, watch } = await given();
    garble(account, { listed: [older.id], alone: [] });
    expect(idsOf(await watch(older, newer))).toEqual([older.id]);
    newer.state = 'COMPLETE';
    expect(idsOf(await watch(older, newer)).sort()).toEqual([older.id, newer.id].sort());
    older.state = 'SENT';
    expect(await watch(older)).toEqual({ final: [], missing: [], unread: [] });
  });

  it('names its own record that nobody can read, which holds up no other', async () => {
    const { account, older, newer, watch } = await given({ newer: 'COMPLETE' });
    garble(account, { listed: [older.id], alone: [older.id] });
    const why = `Transaction ${older.id} is not the interface.`;
    const answer = await watch(older, newer);
    expect(idsOf(answer)).toEqual([newer.id]);
    const unread = [{ id: older.id, why, ofRecord: true }];
    expect(answer.unread).toEqual(unread);
    expect(await watch(older)).toEqual({ final: [], missing: [], unread });
  });

  it('asks for few of many alone, and for each of them at some time', async () => {
    const { account, watch } = await given();
    const odd = Array.from({ length: 60 }, (_, n) => recordOf(`odd-${n}`, 203));
    account.records.unshift(...odd);
    const ids = odd.map(({ id }) => id);
    garble(account, { listed: ids, alone: ids });
    const asked = new Set<string>();
    for (let times = 0; times < 20; times += 1) {
      const { unread } = await watch(...odd);
      expect(unread).toHaveLength(20);
      // A service that garbles all of them has a larger fault than one record.
      expect(unread.some(({ ofRecord }) => ofRecord)).toBe(false);
      for (const { id } of unread) asked.add(id);
    }
    expect(asked.size).toBeGreaterThan(40);
  });
});

describe('a poll of lines that the list does not show', () => {
  it('reads them alone, and only the word that there is none makes one missing', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const [hidden, gone, refused] = ['a', 'b', 'c'].map((of) => recordOf(of, 200));
    if (hidden === undefined || gone === undefined || refused === undefined) throw new Error();
    const { getTransaction } = account.custody;
    account.custody.getTransaction = async (input, how) => {
      if (input.id === hidden.id) return { transaction: hidden };
      if (input.id === refused.id) throw new RefusedError('Busy', { status: 429, code: 429 });
      return getTransaction(input, how);
    };
    const { final, missing, unread } = await watch(gone, refused, hidden);
    expect(final.map(({ id }) => id)).toEqual([hidden.id]);
    expect(missing).toEqual([gone.id]);
    expect(unread).toEqual([{ id: refused.id, why: 'Busy' }]);
  });

  it('takes no other record for one, whose id ends alike', async () => {
    const account = openAccount(manyRecords(200));
    const { index, watch } = watching(account);
    await index.lookUp([]);
    const paid = recordOf('a', 200);
    const alike = { ...recordOf('other', 201), id: `${'0'.repeat(28)}${paid.id.slice(-8)}` };
    account.records.unshift(alike, ...manyRecords(60), paid);
    expect((await watch(paid)).final.map(({ id }) => id)).toEqual([paid.id]);
    // It is known, and so is a newer one whose id ends alike.
    await index.keep([alike, paid]);
    expect((await watch(paid)).final.map(({ id }) => id)).toEqual([paid.id]);
  });
});
