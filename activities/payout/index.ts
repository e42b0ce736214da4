import type { AccountIndex } from '../../src/accountIndex/accountIndex';
import type { CustodyApi } from '../../src/custody/endpoints';
import { addPartActivity } from './addPart';
import { checkPayoutActivity } from './checkPayout';
import { placeParts } from './placesOf';
import { shardActivities } from './shards';
import { lineActivities } from './watchLines';

/** What a payout and its shards ask for besides what every order does. */
export function payoutActivities(custody: CustodyApi, index: AccountIndex) {
  return {
    addPart: addPartActivity(custody),
    checkPayout: checkPayoutActivity(custody),
    placeParts,
    ...lineActivities(custody, index),
    ...shardActivities,
  };
}
