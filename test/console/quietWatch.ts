import type { AccountWatch } from '../../src/console/watch/watching';

/** A watch of an account that has nothing, on a console with neither node nor archive. */
export const quietWatch: AccountWatch = {
  wallets: async () => ({ wallets: [], blockchain: 'ARC-TESTNET', left: 0 }),
  statement: async () => ({ lines: '', left: [] }),
  service: async () => [],
  writer: async () => null,
  temporal: async () => [],
  workers: async () => [],
  closes: async () => [],
};
