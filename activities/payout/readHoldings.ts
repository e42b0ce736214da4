import type { CustodyApi } from '../../src/custody/endpoints';
import type { ResolvedToken } from '../../src/orders/kind';
import { tryRead } from '../attempt';
import { withinLimits } from '../everyPage';
import { heldIn } from '../wallets';

/** Whose holdings are asked for, of which tokens. */
export type Holders = {
  walletIds: string[];
  tokens: ResolvedToken[];
  nativeTwins: readonly string[];
};

export function holdingActivities(custody: CustodyApi) {
  return {
    /** What wallets hold of tokens, in base units: by wallet, in the order of the tokens. */
    async readHoldings(holders: Holders): Promise<Record<string, string[]>> {
      const { walletIds, tokens, nativeTwins } = holders;
      const holdings: Record<string, string[]> = {};
      for (const id of walletIds) {
        const { tokenBalances } = await tryRead((signal) =>
          withinLimits(() => custody.listBalances({ id, includeAll: true }, { signal })),
        );
        holdings[id] = tokens.map(
          (token) => heldIn(tokenBalances, { token, nativeTwins })?.baseUnits ?? '0',
        );
      }
      return holdings;
    },
  };
}
