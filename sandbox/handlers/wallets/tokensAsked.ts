import { isAddress } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import { isYes } from '../../../src/custody/endpoints/endpoint';
import { fault } from '../../errors/errors';
import { isMonitored } from '../../store/records/monitoredTokens';
import { type SandboxToken, toToken } from '../../store/records/tokenRecord';
import type { Service } from '../service';

/** The hosted service's words. A word for a chain that is no EVM chain finds nothing here. */
const standards: readonly string[] = [
  'ERC20',
  'ERC721',
  'ERC1155',
  'Fungible',
  'FungibleAsset',
  'NonFungible',
  'NonFungibleEdition',
  'ProgrammableNonFungible',
  'ProgrammableNonFungibleEdition',
];

/** The tokens that a question for a wallet's balances or items is about. */
export async function tokensAsked(
  service: Service,
  input: Input<'listBalances' | 'listNfts'>,
): Promise<SandboxToken[]> {
  const { id, name, standard, includeAll } = input;
  if (standard !== undefined && !standards.includes(standard)) {
    throw fault('tokenStandardInvalid');
  }
  const isAll = isYes(includeAll);
  return (await tokensAt(service, id, input.tokenAddress))
    .filter((token) => isAll || isMonitored(service.store, token.id))
    .filter((token) => name === undefined || toToken(token, '').name === name)
    .filter((token) => standard === undefined || toToken(token, '').standard === standard);
}

/** The tokens at these addresses, with commas between them. Where none is, what may be held. */
async function tokensAt(
  service: Service,
  walletId: string,
  addresses: string | undefined,
): Promise<SandboxToken[]> {
  if (addresses === undefined) return tokensHeld(service, walletId);
  const wanted = addresses.split(',').map((address) => address.trim());
  for (const address of wanted) requireTokenAddress(address);
  const tokens = await Promise.all(wanted.map(service.tokens.byAddress));
  return [...new Set(tokens)].filter((token) => token !== undefined);
}

/** Refuses what is no address. The empty one is the native coin's. */
export function requireTokenAddress(address: string): void {
  if (address === '' || isAddress(address, { strict: false })) return;
  throw fault('tokenAddressInvalid');
}

/** The built-in tokens, and those that this wallet has ever received. */
function tokensHeld({ store, tokens }: Service, walletId: string): SandboxToken[] {
  const received = store.receivedTokens.idsOf(walletId).map(tokens.byId);
  return [...tokens.builtIn, ...received.filter((token) => token !== undefined)];
}
