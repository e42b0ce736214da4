import { erc20Abi, formatUnits, getAddress, type PublicClient, parseEventLogs } from 'viem';
import { coinLogger } from '../../chain/movements';
import { hex, readChain } from '../../chain/readChain';
import { sameText } from '../../custody/objects/sameText';

/** A transaction as read from the chain, not from the service. */
type OnChain = { isSuccess: boolean; blockNumber: bigint; movements: Movement[] };

/** One Transfer log, with its amount in the token's own units. */
type Movement = { token: string; from: string; to: string; amount: string };

export type ChainReader = {
  transaction(hash: string): Promise<OnChain>;
  /** Returns the balance of an address, in the token's own units. */
  balance(token: string, holder: string): Promise<string>;
};

/** Reads the sandbox's chain by RPC, independently of the service. */
export function createChainReader(rpcUrl: string): ChainReader {
  const ask = <T>(read: (chain: PublicClient) => Promise<T>): Promise<T> => readChain(rpcUrl, read);
  const decimalsOf = (address: `0x${string}`): Promise<number> =>
    ask((chain) => chain.readContract({ address, abi: erc20Abi, functionName: 'decimals' }));
  return {
    transaction: async (hash) => {
      const receipt = await ask((chain) => chain.getTransactionReceipt({ hash: hexOf(hash) }));
      const told = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs });
      // The system tells of each movement of USDC once more.
      const logs = told.filter(({ address }) => !sameText(address, coinLogger));
      return {
        isSuccess: receipt.status === 'success',
        blockNumber: receipt.blockNumber,
        movements: await Promise.all(
          logs.map(async ({ address, args }) => ({
            token: getAddress(address),
            from: args.from,
            to: args.to,
            amount: formatUnits(args.value, await decimalsOf(address)),
          })),
        ),
      };
    },
    balance: async (token, holder) => {
      const address = getAddress(token);
      const args = [getAddress(holder)] as const;
      const contract = { address, abi: erc20Abi } as const;
      const [held, decimals] = await Promise.all([
        ask((chain) => chain.readContract({ ...contract, functionName: 'balanceOf', args })),
        decimalsOf(address),
      ]);
      return formatUnits(held, decimals);
    },
  };
}

/** Returns the Transfer log to an address. Throws when the transaction moved nothing to it. */
export function movementTo(onChain: OnChain, recipient: string): Movement {
  const wanted = getAddress(recipient);
  const movement = onChain.movements.find(({ to }) => getAddress(to) === wanted);
  if (movement !== undefined) return movement;
  throw new Error(`Block ${onChain.blockNumber} has no Transfer log to ${wanted}.`);
}

function hexOf(hash: string): `0x${string}` {
  if (!hash.startsWith('0x')) throw new Error(`${hash} is not a transaction hash.`);
  return hex(hash);
}
