import { type Account, hashOf, indexOf, manyRecords, more, openAccount, statesOf } from './account';

/** Leaves the records of an order out of the list until their page was read so often. */
function hideFor({ custody }: Account, order: string, times: number) {
  const { listTransactions } = custody;
  let hidden = 0;
  custody.listTransactions = async (input, how) => {
    const { transactions } = await listTransactions(input, how);
    const shown = transactions.filter(({ refId = '' }) => !refId.includes(hashOf(order)));
    if (shown.length < transactions.length && ++hidden > times) return { transactions };
    return { transactions: shown };
  };
}

describe('a record that its page lacks once', () => {
  it('in a first pass is filled in by the second one', async () => {
    const account = openAccount(manyRecords(2_000));
    hideFor(account, 'order-5', 1);
    const index = indexOf(account);
    expect(await statesOf(index, 'order-5')).toEqual([]);
    while ((await index.build()) !== undefined);
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
