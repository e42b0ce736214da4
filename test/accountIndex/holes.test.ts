import { createAccountIndex } from '../../src/accountIndex/accountIndex';
import type { Transaction } from '../../src/custody/objects/transaction';
import { type Account, hashOf, manyRecords, openAccount, recordOf } from './account';

const graceMs = 600_000;
const apartMs = 5;

const indexOf = ({ custody }: Account) => createAccountIndex({ custody, graceMs, apartMs });
type Index = ReturnType<typeof indexOf>;

/** The states of an order's records, as a look-up tells them. */
async function statesOf(index: Index, ...orders: string[]): Promise<string[]> {
  const { entries } = await index.lookUp(orders.map(hashOf));
  return entries.map(({ record }) => record.state);
}

/** New records on top of a list, one a second. The n-th is of the order `more-<n>`. */
function more(count: number, from: number): Transaction[] {
  return Array.from({ length: count }, (_, n) => recordOf(`more-${n}`, from + n)).reverse();
}

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
