import { type Hash, parseAbiItem } from 'viem';
import { entryPoint06Address } from 'viem/account-abstraction';
import type { Mined, Who } from '../../src/chain/execution';
import { hex, readChain } from '../../src/chain/readChain';
import { sameText } from '../../src/custody/objects/sameText';
import { beat } from '../beating';

export const operationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** A bundle also reverts if its operations were in one a moment before. Nodes answer so many. */
const blocksBefore = 5_000n;
const blocksMax = 10_000n;

/**
 * Finds the bundle that has carried out a user operation after one that was reverted. The operation
 * is published and signed, so that anybody can bundle it again while its nonce is free. What a
 * reverted bundle says of a nonce proves nothing: nobody has verified its operations.
 */
export async function bundledAgain(
  rpcUrl: string,
  { receipt: { blockNumber } }: Mined,
  { userOpHash, sender }: Who,
): Promise<Hash | undefined> {
  if (!userOpHash) return undefined;
  const head = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  for (let fromBlock = firstOf(blockNumber); fromBlock <= head; fromBlock += blocksMax) {
    const last = fromBlock + blocksMax - 1n;
    const events = await readChain(rpcUrl, (chain) =>
      chain.getLogs({
        address: entryPoint06Address,
        event: operationEvent,
        args: { sender: hex(sender) },
        strict: true,
        fromBlock,
        toBlock: last < head ? last : head,
      }),
    );
    beat();
    const own = events.find(({ args }) => sameText(args.userOpHash, userOpHash));
    if (own !== undefined) return own.transactionHash;
  }
  return undefined;
}

function firstOf(blockNumber: bigint): bigint {
  return blockNumber > blocksBefore ? blockNumber - blocksBefore : 0n;
}
