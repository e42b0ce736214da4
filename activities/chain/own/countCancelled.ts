import type { CustodyApi } from '../../../src/custody/endpoints';
import { passing } from '../../../src/custody/list';
import { sameText } from '../../../src/custody/objects/sameText';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { everyPage } from '../../reading';

/** A record that was made so long before the call may be cancelled beside it. */
const beforeMs = 86_400_000;

/**
 * Counts the signed operations of an account that the service calls cancelled. It cancels one by an
 * operation without a call under the same nonce. No record has the hash of that one, so both are
 * counted. An account has one operation in flight at a time.
 */
export async function countCancelled(
  { listTransactions }: Pick<CustodyApi, 'listTransactions'>,
  { sender, sinceMs }: { sender: string; sinceMs: number },
): Promise<number> {
  const isOlder = passing(sinceMs - beforeMs);
  const records = await everyPage<Transaction>(async (page, how) => {
    const asked = { ...page, includeAll: true, txType: 'OUTBOUND' };
    return (await listTransactions(asked, how)).transactions;
  }, isOlder);
  return records.filter(
    ({ sourceAddress, state, userOpHash }) =>
      sameText(sourceAddress, sender) && finalState(state) === 'CANCELLED' && userOpHash,
  ).length;
}
