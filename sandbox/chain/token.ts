import { type Address, erc20Abi, type Hex, type PublicClient, parseAbi } from 'viem';
import { isReadFault } from './node/nodeFault';

/** The base units of the token that the owner has. None if the contract does not answer. */
export async function readBalance(
  client: PublicClient,
  { token, owner }: { token: Address; owner: Address },
): Promise<bigint> {
  const held = await orNone(
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner],
    }),
  );
  return held ?? 0n;
}

export type TokenStandard = 'ERC20' | 'ERC721' | 'ERC1155';

type TokenFacts = {
  standard: TokenStandard;
  decimals: number;
  symbol: string;
  name: string;
};

/** The ERC-165 interface of each standard. */
const interfaceIds = { ERC721: '0x80ac58cd', ERC1155: '0xd9b67a26' } as const;
const erc165Abi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)']);

/** The most that the ERC-20's own type has room for. A contract may answer with any word. */
const decimalsMax = 255;

/** The facts that a contract states about its token. Undefined if it is no token. */
export async function readTokenFacts(
  client: PublicClient,
  address: Address,
): Promise<TokenFacts | undefined> {
  const ask = { address, abi: erc20Abi } as const;
  const is = (id: Hex) =>
    orNone(
      client.readContract({
        address,
        abi: erc165Abi,
        functionName: 'supportsInterface',
        args: [id],
      }),
    );
  const [decimals, symbol, name, isErc721, isErc1155] = await Promise.all([
    orNone(client.readContract({ ...ask, functionName: 'decimals' })),
    orNone(client.readContract({ ...ask, functionName: 'symbol' })),
    orNone(client.readContract({ ...ask, functionName: 'name' })),
    is(interfaceIds.ERC721),
    is(interfaceIds.ERC1155),
  ]);
  const facts = { symbol: shown(symbol ?? ''), name: shown(name ?? symbol ?? '') };
  if (isErc721) return { standard: 'ERC721', decimals: 0, ...facts };
  if (isErc1155) return { standard: 'ERC1155', decimals: 0, ...facts };
  if (decimals === undefined || decimals > decimalsMax || symbol === undefined) return undefined;
  return { standard: 'ERC20', decimals, ...facts };
}

/** A text of anybody's, short and without control characters. */
function shown(text: string): string {
  const [beginning = ''] = text.replace(/\p{Cc}/gu, '').match(/^.{0,100}/su) ?? [];
  return beginning;
}

/** A question that a contract does not answer counts as "none". A fault of the node does not. */
export async function orNone<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isReadFault(error)) throw error;
    return undefined;
  }
}
