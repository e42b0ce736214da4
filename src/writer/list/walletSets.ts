import type { CustodyApi } from '../../custody/endpoints';
import { pagesOf } from '../../custody/list';
import type { WalletSet } from '../../custody/objects/wallet';

/** All wallet sets of the account, oldest first. */
export async function setsOf({ listWalletSets }: Pick<CustodyApi, 'listWalletSets'>) {
  const sets: WalletSet[] = [];
  const pages = pagesOf(async (asked, how) => (await listWalletSets(asked, how)).walletSets);
  for await (const page of pages) {
    sets.push(...page);
  }
  const placeOf = ({ createDate, id }: WalletSet): string => `${createDate} ${id}`;
  return sets.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}
