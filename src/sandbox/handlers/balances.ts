import type { Address } from 'viem';
import { fromBaseUnits } from '../../custody/amount';
import type { Input } from '../../custody/endpoints';
import type { Balance } from '../../custody/token';
import { readBalance } from '../chain/token';
import type { Service } from '../service';
import { listed, type Paged, readPage } from '../store/page';
import { isoSeconds } from '../store/records';
import { isItem, type KnownToken, toToken } from '../tokens';
import { requireChain } from '../walletBlockchain';
import { tokensAsked } from './tokensAsked';
import { wallet as walletOf } from './wallets';

/** What a wallet holds, page by page of the tokens; what it holds nothing of is left out. */
export async function listBalances(
  service: Service,
  input: Input<'listBalances'>,
  paged: Paged,
): Promise<{ tokenBalances: Balance[] }> {
  const wallet = walletOf(service, input.id);
  requireChain(wallet);
  const tokens = (await tokensAsked(service, input)).filter((token) => !isItem(token));
  const balances = tokens.map(async (token) => {
    const held = await readHeld(service, token, wallet.address);
    return { id: token.id, hidden: held === 0n, balance: toBalance(service, token, held) };
  });
  const page = readPage(listed(await Promise.all(balances)), { input, paged });
  return { tokenBalances: page.map(({ balance }) => balance) };
}

/** How many base units of a token an account has. */
export function readHeld(
  { chain }: Pick<Service, 'chain'>,
  { address: token }: KnownToken,
  address: Address,
): Promise<bigint> {
  return token === undefined
    ? chain.client.getBalance({ address })
    : readBalance(chain.client, { token, owner: address });
}

export function toBalance({ shown }: Service, token: KnownToken, held: bigint): Balance {
  return {
    amount: fromBaseUnits(held, token.decimals),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
}
