import type { CustodyApi, EndpointName } from '../../../src/custody/endpoints';
import { contractMethods } from './contracts';
import { eventMethods } from './events';
import { holdingMethods } from './holdings';
import { monitoringMethods } from './monitoredTokens';
import { notificationMethods } from './notifications';
import { pendingMethods } from './pending';
import type { Sdks } from './sdks';
import { setMethods } from './sets';
import { signingMethods } from './signing';
import { transactionMethods } from './transactions';
import { walletMethods } from './wallets';

/** What their clients have no method for. */
export const lackedBySdks: readonly EndpointName[] = [
  'ping',
  'getEntityConfig',
  'registerEntitySecret',
  'upgradeWallet',
];

/**
 * The vendor's SDKs, spoken to as a CustodyApi: each call is one method of theirs, in the form that
 * they take. They are not changed in any way.
 */
export function createSdkApi(sdks: Sdks): CustodyApi {
  return {
    ...setMethods(sdks),
    ...monitoringMethods(sdks),
    ...walletMethods(sdks),
    ...holdingMethods(sdks),
    ...signingMethods(sdks),
    ...transactionMethods(sdks),
    ...pendingMethods(sdks),
    ...contractMethods(sdks),
    ...eventMethods(sdks),
    ...notificationMethods(sdks),
  };
}
