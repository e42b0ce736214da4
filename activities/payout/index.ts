import type { CheckSources } from '../../src/checks/checkLines';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { AccountIndex } from '../../src/store/index/accountIndex';
import { addPartActivity } from './addPart';
import { checkPayoutActivity } from './checkPayout';
import { findLinesActivity } from './findLines';
import { findMemosActivity } from './findMemos';
import { openShard } from './openShard';
import { placeParts } from './placesOf';
import { shardActivities } from './shards';
import { sizeBatchesActivity } from './sizeBatch';
import { watchActivities } from './watchLines';

/** The activities that only payouts and their shards use. */
export function payoutActivities(
  custody: CustodyApi,
  { index, ...own }: CheckSources & { index: AccountIndex; chainRpcUrl: string | undefined },
) {
  return {
    addPart: addPartActivity(custody, own.chainRpcUrl),
    checkPayout: checkPayoutActivity(custody, own),
    placeParts,
    sizeBatches: sizeBatchesActivity(custody),
    findLines: findLinesActivity(index),
    findMemos: findMemosActivity(custody, own.chainRpcUrl),
    ...watchActivities(custody, index),
    openShard,
    ...shardActivities,
  };
}
