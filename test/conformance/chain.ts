import { createPublicClient, erc20Abi, getAddress, http, parseAbi } from 'viem';

const nftAbi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
]);

/** What the chain itself says: the oracle for every movement of money. */
export function readChain(rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  return {
    native: (owner: string) => client.getBalance({ address: getAddress(owner) }),
    balance: (token: string, owner: string) =>
      client.readContract({
        address: getAddress(token),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [getAddress(owner)],
      }),
    owner: async (collection: string, id: bigint) => {
      const found = await client.readContract({
        address: getAddress(collection),
        abi: nftAbi,
        functionName: 'ownerOf',
        args: [id],
      });
      return found.toLowerCase();
    },
    count: (collection: string, owner: string, id: bigint) =>
      client.readContract({
        address: getAddress(collection),
        abi: nftAbi,
        functionName: 'balanceOf',
        args: [getAddress(owner), id],
      }),
    hasCode: async (address: string) =>
      (await client.getCode({ address: getAddress(address) })) !== undefined,
  };
}
