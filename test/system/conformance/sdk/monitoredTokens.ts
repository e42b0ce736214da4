import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type MonitoringNames =
  | 'listMonitoredTokens'
  | 'createMonitoredTokens'
  | 'updateMonitoredTokens'
  | 'deleteMonitoredTokens'
  | 'updateMonitoredTokensScope';

export function monitoringMethods({ wallets }: Sdks): Pick<CustodyApi, MonitoringNames> {
  return {
    listMonitoredTokens: async (input) => {
      const sent = input as ToWallets<'listMonitoredTokens'>;
      return read('listMonitoredTokens', await wallets.listMonitoredTokens(sent));
    },
    createMonitoredTokens: async (input) =>
      read('createMonitoredTokens', await wallets.createMonitoredTokens(input)),
    updateMonitoredTokens: async (input) => {
      const sent = input as ToWallets<'updateMonitoredTokens'>;
      return read('updateMonitoredTokens', await wallets.updateMonitoredTokens(sent));
    },
    deleteMonitoredTokens: async (input) => {
      await wallets.deleteMonitoredTokens(input);
      return {};
    },
    updateMonitoredTokensScope: async (input) => {
      await wallets.updateMonitoredTokensScope(input);
      return {};
    },
  };
}
