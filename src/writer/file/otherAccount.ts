import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import type { Policy } from './policy';

/** So many wallets are asked for: the first that is there settles it. */
const askedMax = 20;
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The fault of a policy for another account: the service has none of the wallets that it names by
 * their ids. Throws where the service does not answer.
 */
export async function otherAccountFault(
  api: Pick<CustodyApi, 'getWallet'>,
  { limits }: Pick<Policy, 'limits'>,
): Promise<string | undefined> {
  const named = [...new Set(limits.flatMap(({ wallets }) => [...wallets]))];
  const ids = named.filter((wallet) => idForm.test(wallet)).slice(0, askedMax);
  for (const id of ids) if (await isThere(api, id)) return undefined;
  if (ids.length === 0) return undefined;
  return (
    `is for another account: the account of CUSTODY_API_KEY has no wallet ${ids.join(', ')}. ` +
    'Name wallets of this account, or set its key.'
  );
}

async function isThere(api: Pick<CustodyApi, 'getWallet'>, id: string): Promise<boolean> {
  try {
    await api.getWallet({ id });
    return true;
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return false;
    throw error;
  }
}
