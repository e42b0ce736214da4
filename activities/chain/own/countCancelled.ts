import { passing } from '../../../src/custody/list';
import { sameText } from '../../../src/custody/objects/sameText';
import { finalState } from '../../../src/custody/objects/state';
import { unreadableState } from '../../../src/custody/objects/transaction';
import { readOutbound, type TransactionList } from '../../../src/custody/outbound';
import { everyPage } from '../../reading';

/** A record that was made so long before the call may be cancelled beside it. */
const beforeMs = 86_400_000;

/** A record that the service calls cancelled, and the account that has signed its operation. */
type Cancelled = { id: string; sender: string; sinceMs: number };

/**
 * Counts the signed operations of an account that the service calls cancelled. It cancels one by an
 * operation without a call under the same nonce. No record has the hash of that one, so both are
 * counted. An account has one operation in flight at a time. A record that cannot be read may be
 * cancelled.
 */
export async function countCancelled(
  list: TransactionList,
  { id, sender, sinceMs }: Cancelled,
): Promise<number> {
  const records = await everyPage(readOutbound(list), passing(sinceMs - beforeMs));
  const others = records.filter(({ id: other, sourceAddress, state, userOpHash }) => {
    if (other === id) return false;
    if (state === unreadableState) return sameText(sourceAddress ?? sender, sender);
    return sameText(sourceAddress, sender) && finalState(state) === 'CANCELLED' && userOpHash;
  });
  // The list may not show the record itself as cancelled yet.
  return others.length + 1;
}
