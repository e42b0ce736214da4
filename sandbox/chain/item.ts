import { type Address, erc721Abi, isAddressEqual, type PublicClient, parseAbi } from 'viem';
import { orNone, type TokenStandard } from './token';

/** An item of a token: its contract, how that counts, and the number of the item. */
export type ItemPlace = { token: Address; standard: TokenStandard; itemId: bigint };

export const erc1155Abi = parseAbi([
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function uri(uint256 id) view returns (string)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
]);

/** The number of copies of an item that the owner has. None if the contract does not answer. */
export async function readItemCount(
  client: PublicClient,
  { token: address, standard, itemId }: ItemPlace,
  owner: Address,
): Promise<bigint> {
  if (standard === 'ERC721') {
    const call = { address, abi: erc721Abi, functionName: 'ownerOf', args: [itemId] } as const;
    const found = await orNone(client.readContract(call));
    return found !== undefined && isAddressEqual(found, owner) ? 1n : 0n;
  }
  const args = [owner, itemId] as const;
  const call = { address, abi: erc1155Abi, functionName: 'balanceOf', args } as const;
  return (await orNone(client.readContract(call))) ?? 0n;
}

/** More than an address or a small picture is left out: anybody's contract may say anything. */
const uriCharactersMax = 20_000;

/** The URI of an item's description, as its contract gives it. The sandbox does not fetch it. */
export async function readItemUri(
  client: PublicClient,
  { token: address, standard, itemId }: ItemPlace,
): Promise<string | undefined> {
  const args = [itemId] as const;
  const uri = await orNone(
    standard === 'ERC721'
      ? client.readContract({ address, abi: erc721Abi, functionName: 'tokenURI', args })
      : client.readContract({ address, abi: erc1155Abi, functionName: 'uri', args }),
  );
  return uri === '' || (uri?.length ?? 0) > uriCharactersMax ? undefined : uri;
}
