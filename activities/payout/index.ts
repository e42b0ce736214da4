import type { AccountIndex } from '../../src/accountIndex/accountIndex';
import type { CustodyApi } from '../../src/custody/endpoints';
import { addPartActivity } from './addPart';
import { checkPayoutActivity } from './checkPayout';
import { findLinesActivity } from './findLines';
import { placeParts } from './placesOf';
import { shardActivities } from './shards';
import { sizeBatchesActivity } from './sizeBatch';
import { watchActivities } from './watchLines';

/** The activities that only payouts and their shards use. */
export function payoutActivities(custody: CustodyApi, index: AccountIndex) {
  return {
    addPart: addPartActivity(custody),
    checkPayout: checkPayoutActivity(custody),
    placeParts,
    sizeBatches: sizeBatchesActivity(custody),
    findLines: findLinesActivity(index),
    ...watchActivities(custody, index),
    ...shardActivities,
  };
}
