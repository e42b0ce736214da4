import type { CustodyApi, Output } from '../../custody/endpoints';
import { pagesOf } from '../../custody/list';
import { networks } from '../../custody/networks/networks';
import type { Balance } from '../../custody/objects/token';
import { balancesIn, tellBalances, twinsOf } from './balances';

type Lists = Pick<CustodyApi, 'listWalletsWithBalances' | 'listWalletSets'>;

/** A wallet of the account with its name and its balances, as the service tells them. */
export type NamedWallet = {
  id: string;
  /** The name of its set, and its own one. Empty if it has none. */
  name: string;
  address: string;
  accountType: string;
  state: string;
  balances: ReturnType<typeof balancesIn>;
  /** Amount and token of each balance. A coin with two faces is one row. */
  held: string[][];
};

/** A wallet, and its balances by the ids of their tokens. */
type Listed = Omit<Output<'listWalletsWithBalances'>['wallets'][number], 'tokenBalances'> & {
  balances: Map<string, Balance>;
};

/**
 * All wallets of the account on a network, newest first, with their names, and their balances of
 * the tokens that the network lists.
 */
export async function walletsWithNames(api: Lists, blockchain: string): Promise<NamedWallet[]> {
  const names = await setNames(api);
  return (await listedWallets(api, blockchain)).map(({ balances: all, ...wallet }) => {
    const { id, address, accountType = 'unknown', state, walletSetId } = wallet;
    const name = [names.get(walletSetId), wallet.name].filter(Boolean).join(' · ');
    const tokenBalances = [...all.values()];
    const balances = balancesIn(tokenBalances);
    const held = tellBalances(balances, twinsOf(tokenBalances, blockchain));
    return { id, name, address, accountType, state, balances, held };
  });
}

/** The service lists the coin, and one more token. So the list is read once for each token. */
async function listedWallets(
  api: Pick<Lists, 'listWalletsWithBalances'>,
  blockchain: string,
): Promise<Listed[]> {
  const found = new Map<string, Listed>();
  for (const { address: tokenAddress } of networks[blockchain]?.tokens ?? []) {
    if (tokenAddress === '') continue;
    const pages = pagesOf(async (page, how) => {
      const asked = { blockchain, tokenAddress, ...page };
      return (await api.listWalletsWithBalances(asked, how)).wallets;
    });
    for await (const wallets of pages) {
      for (const { tokenBalances, ...wallet } of wallets) {
        const { balances } = found.get(wallet.id) ?? { balances: new Map<string, Balance>() };
        for (const balance of tokenBalances) balances.set(balance.token.id, balance);
        found.set(wallet.id, { ...wallet, balances });
      }
    }
  }
  return [...found.values()];
}

/** The names of wallet sets, without the code that a set of ours ends with. */
async function setNames({
  listWalletSets,
}: Pick<Lists, 'listWalletSets'>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const pages = pagesOf(async (page, how) => (await listWalletSets(page, how)).walletSets);
  for await (const sets of pages) {
    for (const { id, name = '' } of sets) names.set(id, name.replace(/ [0-9a-f]{16}\.g\d+$/, ''));
  }
  return names;
}
