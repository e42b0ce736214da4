import { createAccountIndex } from '../../../src/store/index/accountIndex';
import {
  type Account,
  apartMs,
  hashOf,
  indexOf,
  manyRecords,
  more,
  openAccount,
  recordOf,
  statesOf,
} from './account';

/** Leaves an order out of the list until so many pages would have shown it, as an older copy does. */
function hideFor(account: Account, order: string, times: number) {
  const { custody } = account;
  const { listTransactions } = custody;
  const isHidden = ({ refId = '' }: { refId?: string | undefined }) =>
    refId.includes(hashOf(order));
  let hidden = 0;
  custody.listTransactions = async (input, how) => {
    const whole = account.records;
    const answer = await listTransactions(input, how);
    if (!answer.transactions.some(isHidden) || ++hidden > times) return answer;
    account.records = whole.filter((record) => !isHidden(record));
    return listTransactions(input, how).finally(() => {
      account.records = whole;
    });
  };
}

/** Drops one record of a page that is not the last one, once. */
function shortenOnce({ custody }: Account, page: number) {
  const { listTransactions } = custody;
  let pages = 0;
  custody.listTransactions = async (input, how) => {
    const { transactions } = await listTransactions(input, how);
    return { transactions: ++pages === page ? transactions.toSpliced(20, 1) : transactions };
  };
}

/** Reads all that is due. Returns the number of pages. */
async function build(index: ReturnType<typeof indexOf>): Promise<number> {
  for (let pages = 0; ; pages++) if ((await index.build()) === undefined) return pages;
}

/** Does something by a clock that is ahead. */
async function later<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
  return act().finally(() => clock.mockRestore());
}

describe('a record that its page lacks once', () => {
  it('in a first pass is filled in by the second one', async () => {
    const account = openAccount(manyRecords(2_000));
    hideFor(account, 'order-5', 1);
    const index = indexOf(account);
    expect(await statesOf(index, 'order-5')).toEqual([]);
    await build(index);
    expect(await statesOf(index, 'order-5')).toEqual(['COMPLETE']);
  });

  it('in a later reading is filled in by the reading after it', async () => {
    const account = openAccount(manyRecords(100));
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.unshift(...more(2_000, 100));
    hideFor(account, 'more-5', 1);
    expect(await statesOf(index, 'more-5')).toEqual([]);
    expect(await statesOf(index, 'more-5')).toEqual(['COMPLETE']);
  });
});

describe('a record that a copy of the list lacks for a while', () => {
  it('is filled in by the pass that follows a grace period later', async () => {
    const account = openAccount(manyRecords(2_000));
    const { custody } = account;
    const index = createAccountIndex({ custody, apartMs, graceMs: 60_000 });
    hideFor(account, 'order-5', 2);
    await build(index);
    expect(await statesOf(index, 'order-5')).toEqual([]);
    expect(await build(index)).toBe(0);
    expect(await later(60_000, () => build(index))).toBe(41);
    expect(await statesOf(index, 'order-5')).toEqual(['COMPLETE']);
  });

  it('is filled in by the pass of a day', async () => {
    const account = openAccount(manyRecords(2_000));
    const { custody } = account;
    const index = createAccountIndex({ custody, apartMs, graceMs: 0 });
    hideFor(account, 'order-5', 3);
    await build(index);
    expect(await build(index)).toBe(0);
    expect(await statesOf(index, 'order-5')).toEqual([]);
    await later(86_400_000, () => build(index));
    expect(await statesOf(index, 'order-5')).toEqual(['COMPLETE']);
  });

  it('is found at once by a question that reads the whole list', async () => {
    const account = openAccount(manyRecords(2_000));
    const index = indexOf(account);
    hideFor(account, 'order-5', 1);
    expect(await statesOf(index, 'order-5')).toEqual([]);
    const { entries } = await index.lookUp([hashOf('order-5')], { backToMs: 0 });
    expect(entries).toHaveLength(1);
  });
});

describe('a record that is listed an hour late', () => {
  /** An index that has read all, and then an older record shows. */
  async function late() {
    const account = openAccount(manyRecords(10_000));
    const index = indexOf(account);
    await index.lookUp([]);
    account.records.splice(3_600, 0, recordOf('late', 10_000 - 3_600));
    await index.lookUp([]);
    account.pages = [];
    const backToMs = Date.parse(String(account.records[3_600]?.createDate));
    return { account, index, backToMs };
  }

  it('is found by a question that knows how old it may be, and reads no further', async () => {
    const { account, index, backToMs } = await late();
    const { entries } = await index.lookUp([hashOf('late')], { backToMs });
    expect(entries).toHaveLength(1);
    // The head, and then two hours: the clock of the service may be one behind.
    expect(account.pages.length).toBeLessThan(13 + 7_400 / 50);
  });

  it('is found by many such questions with one pass', async () => {
    const { account, index, backToMs } = await late();
    const asked = Array.from({ length: 20 }, () => index.lookUp([hashOf('late')], { backToMs }));
    for (const { entries } of await Promise.all(asked)) expect(entries).toHaveLength(1);
    expect(account.pages.length).toBeLessThan(2 * (13 + 7_400 / 50));
  });
});

describe('a page that is shorter than another one, and not the last', () => {
  const gap = 'A list has a gap';

  it.each([
    ['the first', 1],
    ['a later', 7],
  ])('is %s one: the reading is not complete until it is full', async (_, page) => {
    const account = openAccount(manyRecords(2_000));
    const index = indexOf(account);
    shortenOnce(account, page);
    const lacking = `order-${2_000 - (page - 1) * 50 - 21}`;
    const asked = index.lookUp([hashOf(lacking)], { name: 'one' });
    if (page > 1) await expect(asked).rejects.toThrow(gap);
    else expect((await asked).entries).toHaveLength(1);
    expect(await statesOf(index, lacking)).toEqual(['COMPLETE']);
  });
});
