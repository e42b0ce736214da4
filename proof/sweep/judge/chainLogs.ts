import {
  createPublicClient,
  getAddress,
  http,
  type PublicClient,
  parseAbi,
  parseAbiItem,
} from 'viem';
import { nativeLogger } from '../../../sandbox/chain/genesis/contracts';

/** A Transfer event, as the chain has logged it. Addresses and hashes in lower case. */
type LoggedTransfer = {
  token: string;
  from: string;
  to: string;
  value: bigint;
  txHash: string;
  block: bigint;
};

/** A Deployed event of the factory of clones, with the name that the new contract says it has. */
type LoggedDeployment = { contract: string; name: string; txHash: string };

/** Logs of the chain. They alone decide how often an effect happened. */
export type ChainLogs = { transfers: LoggedTransfer[]; deployments: LoggedDeployment[] };

export type ChainReader = {
  blockNumber(): Promise<bigint>;
  /** Reads the logs of this block and later ones. */
  logsSince(block: bigint): Promise<ChainLogs>;
};

const transferEvent = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);
const deployedEvent = parseAbiItem(
  'event Deployed(address indexed clone, address implementation, bytes32 salt, address deployer)',
);
const named = parseAbi(['function name() view returns (string)']);

export function createChainReader(rpcUrl: string): ChainReader {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) });
  const names = new Map<string, string>();
  return {
    blockNumber: () => client.getBlockNumber({ cacheTime: 0 }),
    logsSince: async (fromBlock) => {
      const told = await client.getLogs({ event: transferEvent, fromBlock, strict: true });
      // The system tells of each movement of USDC once more.
      const transfers = told.filter(({ address }) => getAddress(address) !== nativeLogger);
      const deployments = await client.getLogs({ event: deployedEvent, fromBlock, strict: true });
      for (const { args } of deployments) {
        const known = names.get(args.clone) ?? (await nameOf(client, args.clone));
        names.set(args.clone, known);
      }
      return {
        transfers: transfers.map(({ address, args, transactionHash, blockNumber }) => ({
          block: blockNumber,
          token: address.toLowerCase(),
          txHash: transactionHash.toLowerCase(),
          from: args.from.toLowerCase(),
          to: args.to.toLowerCase(),
          value: args.value,
        })),
        deployments: deployments.map(({ args, transactionHash }) => ({
          contract: args.clone.toLowerCase(),
          name: names.get(args.clone) ?? '',
          txHash: transactionHash.toLowerCase(),
        })),
      };
    },
  };
}

async function nameOf(client: PublicClient, address: `0x${string}`): Promise<string> {
  return client.readContract({ address, abi: named, functionName: 'name' });
}
