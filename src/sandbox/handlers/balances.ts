import { isAddress } from 'viem';
import { fromBaseUnits } from '../../custody/amount';
import type { Input } from '../../custody/endpoints';
import type { Balance } from '../../custody/token';
import { readBalance } from '../chain/token';
import { fault, refusal } from '../errors';
import type { Service } from '../service';
import { listed, type Paged, readPage } from '../store/page';
import { isoSeconds, type WalletRow } from '../store/records';
import { isItem, type KnownToken, toToken } from '../tokens';

/** The hosted service's words; those of other chains than EVM ones find nothing here. */
const standards: readonly string[] = [
  ...['ERC20', 'ERC721', 'ERC1155', 'Fungible', 'FungibleAsset', 'NonFungible'],
  ...['NonFungibleEdition', 'ProgrammableNonFungible', 'ProgrammableNonFungibleEdition'],
];

/** What a wallet holds, page by page of the tokens; what it holds nothing of is left out. */
export async function listBalances(
  service: Service,
  input: Input<'listBalances'>,
  paged: Paged,
): Promise<{ tokenBalances: Balance[] }> {
  const wallet = service.store.wallets.get(input.id);
  if (wallet === undefined) throw fault('noWallet');
  const { name, standard } = input;
  if (standard !== undefined && !standards.includes(standard)) {
    throw refusal(155240, 'Invalid token standard for transfer.');
  }
  const balances = (await tokensOf(service, wallet.id, input.tokenAddress))
    .filter((token) => !isItem(token))
    .filter((token) => name === undefined || toToken(token, '').name === name)
    .filter((token) => standard === undefined || toToken(token, '').standard === standard)
    .map((token) => readOne(service, wallet, token));
  const rows = listed(await Promise.all(balances));
  const page = readPage(rows, { input, paged });
  return { tokenBalances: page.map(({ balance }) => balance) };
}

/** The tokens at these addresses, with commas between them; where none is, what may be held. */
async function tokensOf(
  service: Service,
  walletId: string,
  addresses: string | undefined,
): Promise<KnownToken[]> {
  if (addresses === undefined) return tokensHeld(service, walletId);
  const wanted = addresses.split(',').map((address) => address.trim());
  if (!wanted.every((address) => address === '' || isAddress(address, { strict: false }))) {
    throw refusal(155239, 'Invalid token address for transfer.');
  }
  const tokens = await Promise.all(wanted.map(service.tokens.byAddress));
  return [...new Set(tokens)].filter((token) => token !== undefined);
}

/** What any wallet may have, and what this one has ever received: not every token that is known. */
function tokensHeld({ store, tokens }: Service, walletId: string): KnownToken[] {
  const received = store.walletTokens.of(walletId).map(tokens.byId);
  return [...tokens.builtIn, ...received.filter((token) => token !== undefined)];
}

async function readOne(service: Service, wallet: WalletRow, token: KnownToken) {
  const { chain, shown } = service;
  const held =
    token.address === undefined
      ? await chain.client.getBalance({ address: wallet.address })
      : await readBalance(chain.client, { token: token.address, owner: wallet.address });
  const balance: Balance = {
    amount: fromBaseUnits(held, token.decimals),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
  return { id: token.id, hidden: held === 0n, balance };
}
