import { fault } from '../errors';
import type { Handlers, Service } from '../service';
import { sender } from './newTransaction';

/**
 * Upgrades of smart accounts. On this chain all of them are of a newer core than the one that an
 * upgrade leads to, so that none can be had.
 */
export function upgradeHandlers(service: Service): Handlers<'upgradeWallet'> {
  return {
    upgradeWallet: async ({ walletId }) => {
      const { frozen, accountType } = sender(service, { walletId });
      if (frozen) throw fault('walletFrozen');
      if (accountType !== 'SCA') throw fault('otherAccountType');
      throw fault('notOnBlockchain');
    },
  };
}
