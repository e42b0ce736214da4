import { isAddress } from 'viem';
import type { Input } from '../../custody/endpoints';
import { isYes } from '../../custody/endpoints/endpoint';
import { refusal } from '../errors';
import { isMonitored } from '../monitoredTokens';
import type { Service } from '../service';
import { type KnownToken, toToken } from '../tokens';

/** The hosted service's words; those of other chains than EVM ones find nothing here. */
const standards: readonly string[] = [
  ...['ERC20', 'ERC721', 'ERC1155', 'Fungible', 'FungibleAsset', 'NonFungible'],
  ...['NonFungibleEdition', 'ProgrammableNonFungible', 'ProgrammableNonFungibleEdition'],
];

/** The tokens that a question for a wallet's balances or items is about. */
export async function tokensAsked(
  service: Service,
  input: Input<'listBalances' | 'listNfts'>,
): Promise<KnownToken[]> {
  const { id, name, standard, includeAll } = input;
  if (standard !== undefined && !standards.includes(standard)) {
    throw refusal(155240, 'Invalid token standard for transfer.');
  }
  const isAll = isYes(includeAll);
  return (await tokensAt(service, id, input.tokenAddress))
    .filter((token) => isAll || isMonitored(service.store, token.id))
    .filter((token) => name === undefined || toToken(token, '').name === name)
    .filter((token) => standard === undefined || toToken(token, '').standard === standard);
}

/** The tokens at these addresses, with commas between them; where none is, what may be held. */
async function tokensAt(
  service: Service,
  walletId: string,
  addresses: string | undefined,
): Promise<KnownToken[]> {
  if (addresses === undefined) return tokensHeld(service, walletId);
  const wanted = addresses.split(',').map((address) => address.trim());
  for (const address of wanted) requireTokenAddress(address);
  const tokens = await Promise.all(wanted.map(service.tokens.byAddress));
  return [...new Set(tokens)].filter((token) => token !== undefined);
}

/** Refuses what is no address; the empty one is the native coin's. */
export function requireTokenAddress(address: string): void {
  if (address === '' || isAddress(address, { strict: false })) return;
  throw refusal(155239, 'Invalid token address for transfer.');
}

/** What any wallet may have, and what this one has ever received: not every token that is known. */
function tokensHeld({ store, tokens }: Service, walletId: string): KnownToken[] {
  const received = store.walletTokens.of(walletId).map(tokens.byId);
  return [...tokens.builtIn, ...received.filter((token) => token !== undefined)];
}
