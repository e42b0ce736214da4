import type { CustodyApi } from '../src/custody/endpoints';
import type { WriteSettings } from './attempt';
import { cancelRun } from './cancelRun';
import { contractActivities } from './contracts';
import { holdFor } from './holdFor';
import { lookUpActivities } from './lookUp';
import { type OrderSettings, openOrderActivity } from './openOrder';
import { payoutActivities } from './payout';
import { periodActivities } from './periods';
import { receiptActivities } from './receipt';
import { transactionActivities } from './transactions';
import { walletActivities } from './wallets';

export type ActivitySettings = OrderSettings & WriteSettings;

/** What is done where the workflow itself is, and asks nobody anything. */
export const localActivities = { holdFor };

/** Everything a workflow may ask of the custody service: one upstream call each, failures named. */
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
