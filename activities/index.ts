import type { CustodyApi } from '../src/custody/endpoints';
import type { WriteSettings } from './attempt';
import { cancelRun } from './cancelRun';
import { receiptActivities } from './chain/receipt';
import { contractActivities } from './contracts';
import { type OrderSettings, openOrderActivity } from './guard/openOrder';
import { holdFor } from './holdFor';
import { lookUpActivities } from './lookUp';
import { payoutActivities } from './payout';
import { periodActivities } from './periods';
import { transactionActivities } from './transactions';
import { walletActivities } from './wallets';

export type ActivitySettings = OrderSettings & WriteSettings;

/** Activities that run on the workflow's own worker and ask nobody. */
export const localActivities = { holdFor };

/**
 * All that a workflow may ask of the custody service: one upstream call each, with named failures.
 */
export function createActivities(custody: CustodyApi, settings: ActivitySettings) {
  return {
    ...localActivities,
    openOrder: openOrderActivity(custody, settings),
    cancelRun,
    ...walletActivities(custody, settings),
    ...transactionActivities(custody, settings),
    ...contractActivities(custody, settings),
    ...lookUpActivities(custody),
    ...receiptActivities(settings.chainRpcUrl),
    ...periodActivities(settings),
    ...payoutActivities(custody),
  };
}

export type Activities = ReturnType<typeof createActivities>;
