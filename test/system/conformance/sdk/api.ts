import type { CustodyApi, EndpointName } from '../../../../src/custody/endpoints';
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

/** Endpoints without a method in the SDKs' clients. */
export const lackedBySdks: readonly EndpointName[] = [
  'ping',
  'getEntityConfig',
  'registerEntitySecret',
  'upgradeWallet',
  'screenAddress',
];

/**
 * The vendor's SDKs as a CustodyApi: each call is one of their methods, with arguments in their
 * form. The SDKs are unchanged.
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
