import type { Balance } from '../../../../src/custody/objects/token';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { createFundedWallet, settled, transferOf, usdc } from '../../../support/sandbox';
import type { Given } from '../subject/subject';

export function describeMonitoredTokens(given: Given): void {
  given.describeFunded('monitored tokens', () => {
    let wallet: Wallet;
    let ids: Record<string, string>;
    let sent: string;
    beforeAll(async () => {
      const { api } = given.subject();
      wallet = await createFundedWallet(api, 'EOA');
      const { tokenBalances } = await api.listBalances({ id: wallet.id });
      ids = Object.fromEntries(tokenBalances.map(({ token }) => [nameOf(token), token.id]));
      sent = (await api.createTransfer(transferOf(wallet, wallet.address))).id;
      await settled(api, sent);
    });
    // Later tests need a service that monitors all tokens.
    afterAll(() => given.subject().api.updateMonitoredTokensScope({ scope: 'MONITOR_ALL' }));

    const held = async (includeAll?: boolean) => {
      const asked = { id: wallet.id, ...(includeAll === undefined ? {} : { includeAll }) };
      const { tokenBalances } = await given.subject().api.listBalances(asked);
      return tokenBalances.map(({ token }) => nameOf(token));
    };
    const sentIds = async (includeAll?: boolean) => {
      const asked = { walletIds: wallet.id, txType: 'OUTBOUND' };
      const all = includeAll === undefined ? {} : { includeAll };
      const { transactions } = await given.subject().api.listTransactions({ ...asked, ...all });
      return transactions.map(({ id }) => id);
    };
    const everything = ['native', 'USDC', 'EURC'];

    it('are none at first, so lists are empty', async () => {
      expect(await given.subject().api.listMonitoredTokens({})).toBeUndefined();
      expect(await held()).toEqual(everything);
    });

    it('limit all lists once one is chosen, unless all tokens are asked for', async () => {
      const { api } = given.subject();
      const chosen = await api.createMonitoredTokens({ tokenIds: [ids.EURC ?? ''] });
      expect(chosen).toMatchObject({ scope: 'SELECTED', tokens: [{ id: ids.EURC }] });
      expect(await api.createMonitoredTokens({ tokenIds: [ids.EURC ?? ''] })).toEqual(chosen);
      expect(await api.listMonitoredTokens({ symbol: 'EURC' })).toEqual(chosen);
      expect(await api.listMonitoredTokens({ tokenAddress: usdc })).toMatchObject({ tokens: [] });
      expect(await held()).toEqual(['EURC']);
      expect(await held(true)).toEqual(everything);
      expect(await sentIds()).toEqual([]);
      expect(await sentIds(true)).toEqual([sent]);
    });

    it('are replaced by others, and removed again', async () => {
      const { api } = given.subject();
      const tokenIds = [ids.native ?? '', ids.USDC ?? ''];
      const { tokens } = await api.updateMonitoredTokens({ tokenIds });
      expect(tokens.map(nameOf).toSorted()).toEqual(['USDC', 'native']);
      expect(await held()).toEqual(['native', 'USDC']);
      expect(await sentIds()).toEqual([sent]);
      expect(await api.deleteMonitoredTokens({ tokenIds: [ids.USDC ?? ''] })).toEqual({});
      expect(await held()).toEqual(['native']);
    });

    it('have no effect while all are monitored', async () => {
      const { api } = given.subject();
      expect(await api.updateMonitoredTokensScope({ scope: 'MONITOR_ALL' })).toEqual({});
      expect(await held()).toEqual(everything);
      const kept = await api.listMonitoredTokens({});
      expect(kept).toMatchObject({ scope: 'MONITOR_ALL', tokens: [{ id: ids.native }] });
    });
  });
}

/** The native coin has a twin of the same symbol. */
function nameOf({ isNative, symbol }: Balance['token']): string {
  return isNative ? 'native' : (symbol ?? '');
}
