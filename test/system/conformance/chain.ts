import { createPublicClient, erc20Abi, getAddress, type Hex, http, parseAbi } from 'viem';

const nftAbi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
]);

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);

/** The chain itself: the proof for every movement of money. */
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
    /** The gas that a transaction has cost its sender, in units of the native coin. */
    fee: async (txHash: string | undefined) => {
      const hash = txHash as Hex;
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash });
      return gasUsed * effectiveGasPrice;
    },
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
    /** Asks the contract at an address if it has signed this hash. */
    hasSigned: async (signer: string, hash: Hex, signature: Hex) => {
      const args = [hash, signature] as const;
      const call = { address: getAddress(signer), abi: erc1271Abi, args } as const;
      const said = await client.readContract({ ...call, functionName: 'isValidSignature' });
      return said === '0x1626ba7e';
    },
    hasCode: async (address: string) =>
      (await client.getCode({ address: getAddress(address) })) !== undefined,
  };
}
