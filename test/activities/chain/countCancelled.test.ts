import { countCancelled } from '../../../activities/chain/own/countCancelled';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { someone } from '../../support/stages';

const sender = someone();
const dayMs = 86_400_000;
const nowMs = Date.parse('2026-01-10T00:00:00Z');

/** A service that lists these records, newest first, ten a page. It knows the filter by wallet. */
function listing(records: readonly Partial<Transaction>[]) {
  const asked: (string | undefined)[] = [];
  const listTransactions = async (input: { pageAfter?: string; walletIds?: string }) => {
    const { pageAfter, walletIds } = input;
    asked.push(walletIds);
    const shown = records.filter(
      ({ walletId }) => walletIds === undefined || walletId === walletIds,
    );
    const start = shown.findIndex(({ id }) => id === pageAfter) + 1;
    return { transactions: shown.slice(start, start + 10) };
  };
  return { asked, list: { listTransactions } as unknown as CustodyApi };
}

const cancelled = (id: string, agoMs: number, fields: Partial<Transaction> = {}) => ({
  id,
  walletId: 'own',
  sourceAddress: sender,
  state: 'CANCELLED',
  userOpHash: '0x1',
  createDate: new Date(nowMs - agoMs).toISOString(),
  updateDate: new Date(nowMs).toISOString(),
  ...fields,
});

/** Records of another wallet, over two pages. */
const others = Array.from({ length: 25 }, (_, at) =>
  cancelled(`other-${at}`, 2 * dayMs + at, { walletId: 'other', sourceAddress: someone() }),
);

test('an operation that was stuck for days before its cancellation counts, of its account alone', async () => {
  const { asked, list } = listing([
    cancelled('own', 0),
    ...others,
    cancelled('stuck', 3 * dayMs),
    cancelled('dropped', 3 * dayMs, { userOpHash: undefined }),
    cancelled('done', 3 * dayMs, { state: 'COMPLETE' }),
    cancelled('of before', 3 * dayMs, { updateDate: new Date(nowMs - 2 * dayMs).toISOString() }),
  ]);
  const call = { id: 'own', sender, walletId: 'own', sinceMs: nowMs };
  expect(await countCancelled(list, call)).toBe(2);
  expect(new Set(asked)).toEqual(new Set(['own']));
});
