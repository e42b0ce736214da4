import type { CustodyApi } from '../custody/endpoints';
import { pagesOf } from '../custody/list';
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

/** All wallets of the account on a network, with their names and balances, newest first. */
export async function walletsWithNames(api: Lists, blockchain: string): Promise<NamedWallet[]> {
  const names = await setNames(api);
  const pages = pagesOf(async (page, how) => {
    return (await api.listWalletsWithBalances({ blockchain, ...page }, how)).wallets;
  });
  const found: NamedWallet[] = [];
  for await (const wallets of pages) {
    for (const { tokenBalances, ...wallet } of wallets) {
      const { id, address, accountType = 'unknown', state, walletSetId } = wallet;
      const name = [names.get(walletSetId), wallet.name].filter(Boolean).join(' · ');
      const balances = balancesIn(tokenBalances);
      const held = tellBalances(balances, twinsOf(tokenBalances, blockchain));
      found.push({ id, name, address, accountType, state, balances, held });
    }
  }
  return found;
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
