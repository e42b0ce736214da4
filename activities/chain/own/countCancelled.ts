import { sameText } from '../../../src/custody/objects/sameText';
import { finalState } from '../../../src/custody/objects/state';
import { unreadableState } from '../../../src/custody/objects/transaction';
import { readOutbound, type TransactionList } from '../../../src/custody/outbound';
import { everyPage } from '../../reading';
import type { OwnCall } from './ownCall';

/** An operation without a call comes this long after its record is called cancelled, at most. */
const afterMs = 86_400_000;

/** A record that the service calls cancelled, and the account that has signed its operation. */
type Cancelled = Pick<OwnCall, 'id' | 'sender' | 'walletId' | 'sinceMs'>;

/**
 * Counts the signed operations of an account that the service has called cancelled since a moment,
 * however old they are. The service cancels an operation by another one without a call, under the
 * same nonce. No record has the hash of that other one. An account has one operation in flight at a
 * time. A record that cannot be read counts too, since it may be cancelled.
 */
export async function countCancelled(
  list: TransactionList,
  { id, sender, walletId: walletIds, sinceMs }: Cancelled,
): Promise<number> {
  // An operation may have been stuck for long, so that no date of creation ends the list.
  const records = await everyPage(readOutbound(list, walletIds === undefined ? {} : { walletIds }));
  const others = records.filter(({ id: other, sourceAddress, state, userOpHash, updateDate }) => {
    if (other === id || Date.parse(updateDate) < sinceMs - afterMs) return false;
    if (state === unreadableState) return sameText(sourceAddress ?? sender, sender);
    return sameText(sourceAddress, sender) && finalState(state) === 'CANCELLED' && userOpHash;
  });
  // The list may not show the record itself as cancelled yet.
  return others.length + 1;
}
