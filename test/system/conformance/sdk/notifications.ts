import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks } from './sdks';

type NotificationNames =
  | 'createSubscription'
  | 'listSubscriptions'
  | 'getSubscription'
  | 'updateSubscription'
  | 'deleteSubscription'
  | 'getNotificationSignature';

export function notificationMethods({ wallets }: Sdks): Pick<CustodyApi, NotificationNames> {
  return {
    // The library's types lack the notice types, but it passes them on.
    createSubscription: async (input) =>
      read('createSubscription', await wallets.createSubscription(input)),
    listSubscriptions: async () => read('listSubscriptions', await wallets.listSubscriptions()),
    getSubscription: async ({ id }) => read('getSubscription', await wallets.getSubscription(id)),
    updateSubscription: async (input) =>
      read('updateSubscription', await wallets.updateSubscription(input)),
    deleteSubscription: async ({ id }) => {
      await wallets.deleteSubscription(id);
      return {};
    },
    getNotificationSignature: async ({ id }) =>
      read('getNotificationSignature', await wallets.getNotificationSignature(id)),
  };
}
