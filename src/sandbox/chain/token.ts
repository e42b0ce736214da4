import {
  type Address,
  erc20Abi,
  getAddress,
  type Hex,
  type Log,
  type PublicClient,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { isReadFault } from './nodeFault';

/** A movement of a token; from the zero address it is a mint, to it a burn. */
export type TokenTransfer = {
  token: Address;
  from: Address;
  to: Address;
  amountBaseUnits: bigint;
  logIndex: number | null;
  transactionHash: Hex | null;
};

/** How many base units of the token the owner has. */
export function readBalance(
  client: PublicClient,
  { token, owner }: { token: Address; owner: Address },
): Promise<bigint> {
  return client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  });
}

export type TokenStandard = 'ERC20' | 'ERC721' | 'ERC1155';

export type TokenFacts = {
  standard: TokenStandard;
  decimals: number;
  symbol: string;
  name: string;
};

/** What each standard answers for by ERC-165. */
const interfaceIds = { ERC721: '0x80ac58cd', ERC1155: '0xd9b67a26' } as const;
const erc165Abi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)']);

/** What a contract says of itself as a token; undefined where it is none. */
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
  const facts = { symbol: symbol ?? '', name: name ?? symbol ?? '' };
  if (isErc721) return { standard: 'ERC721', decimals: 0, ...facts };
  if (isErc1155) return { standard: 'ERC1155', decimals: 0, ...facts };
  if (decimals === undefined || symbol === undefined) return undefined;
  return { standard: 'ERC20', decimals, ...facts };
}

/** What a contract does not answer it does not have; a fault of the node says nothing of it. */
async function orNone<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isReadFault(error)) throw error;
    return undefined;
  }
}

/** The ERC-20 movements among these logs, in their order. */
export function readTokenTransfers(logs: Log[]): TokenTransfer[] {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map((log) => ({
    token: getAddress(log.address),
    from: log.args.from,
    to: log.args.to,
    amountBaseUnits: log.args.value,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
  }));
}
