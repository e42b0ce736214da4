import type { WalletsTold } from '../../src/client/account/told';
import { walletsWithNames } from '../../src/client/account/wallets';
import type { CustodyApi } from '../../src/custody/endpoints';
import { examineService, type WorkerPlaces } from '../../src/health/examineService';
import type { HealthFinding } from '../../src/health/finding';
import { tryRead } from '../attempt';
import { beating } from '../beating';
import { type StatementSettings, statementActivity } from './readStatement';

/** Temporal keeps a result of two megabytes at most. */
const walletsMax = 2_000;
/** Anybody can send a wallet any number of tokens. */
const heldMax = 50;

/** Reads for people who look at pages. They tell what only the service knows, and move nothing. */
export function accountActivities(custody: CustodyApi, settings: WorkerPlaces & StatementSettings) {
  const { blockchain } = settings;
  return {
    /** Lists the wallets of the account, with their names and balances. */
    async readWallets(): Promise<WalletsTold> {
      const found = await beating(() => tryRead(() => walletsWithNames(custody, blockchain)));
      const wallets = found.slice(0, walletsMax).map(({ balances: _, held, ...wallet }) => {
        const rows = held.slice(0, heldMax).map(([amount = '', token = '']): [string, string] => {
          return [amount, token];
        });
        return { ...wallet, held: rows };
      });
      return { wallets, blockchain, left: found.length - wallets.length };
    },

    /** Checks the service, its notices, the node and the archive from where this worker is. */
    async examineService(): Promise<HealthFinding[]> {
      return beating(() => examineService(custody, settings));
    },

    ...statementActivity(custody, settings),
  };
}
