import type { CustodyApi, EndpointName } from '../../../src/custody/endpoints';
import { contractMethods } from './contracts';
import type { Sdks } from './sdks';
import { setMethods } from './sets';
import { signingMethods } from './signing';
import { transactionMethods } from './transactions';
import { walletMethods } from './wallets';

/** What only plain HTTP reaches. */
export const lackedBySdks: readonly EndpointName[] = ['ping', 'upgradeWallet'];

/**
 * The vendor's SDKs, spoken to as a CustodyApi: each call is one method of theirs, in the form that
 * they take. They are not changed in any way.
 */
export function createSdkApi(sdks: Sdks): CustodyApi {
  return {
    ...setMethods(sdks),
    ...walletMethods(sdks),
    ...signingMethods(sdks),
    ...transactionMethods(sdks),
    ...contractMethods(sdks),
  };
}
