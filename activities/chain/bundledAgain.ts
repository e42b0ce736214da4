import { decodeFunctionData, type Hash, parseAbiItem } from 'viem';
import {
  entryPoint06Abi,
  entryPoint06Address,
  getUserOperationHash,
} from 'viem/account-abstraction';
import type { Mined, Who } from '../../src/chain/execution';
import { hex, readChain } from '../../src/chain/readChain';
import { sameText } from '../../src/custody/objects/sameText';
import { beat } from '../beating';

/** The end of a user operation whose bundle was reverted. */
export type Fate =
  /** Somebody has bundled it again. */
  | { bundledIn: Hash }
  /** True if another operation has used its nonce, so that it can never happen. */
  | { replaced: boolean };

export const operationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
);

/** A bundle also reverts if its operations were in one a moment before. Nodes answer so many. */
const blocksBefore = 5_000n;
const blocksMax = 10_000n;

/**
 * Finds out what became of a user operation whose bundle was reverted. The operation is published
 * and signed, so that anybody can bundle it again while its nonce is free.
 */
export async function fateOf(rpcUrl: string, mined: Mined, who: Who): Promise<Fate> {
  const { blockNumber } = mined.receipt;
  const { userOpHash, sender } = who;
  // Without its hash, nobody tells it from the other one that has its nonce.
  if (!userOpHash) return { replaced: false };
  const head = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  const nonce = nonceIn(mined, userOpHash);
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
    if (own !== undefined) return { bundledIn: own.transactionHash };
    if (events.some(({ args }) => args.nonce === nonce)) return { replaced: true };
  }
  return { replaced: false };
}

function firstOf(blockNumber: bigint): bigint {
  return blockNumber > blocksBefore ? blockNumber - blocksBefore : 0n;
}

/** The nonce of the operation. Undefined unless the bundle has it. */
function nonceIn({ transaction }: Mined, userOpHash: string): bigint | undefined {
  const { to, input: data, chainId } = transaction;
  if (!sameText(to ?? '', entryPoint06Address) || chainId === undefined) return undefined;
  const entryPoint = { entryPointAddress: entryPoint06Address, entryPointVersion: '0.6' } as const;
  try {
    const bundle = decodeFunctionData({ abi: entryPoint06Abi, data });
    if (bundle.functionName !== 'handleOps') return undefined;
    const own = bundle.args[0].find((userOperation) =>
      sameText(getUserOperationHash({ userOperation, chainId, ...entryPoint }), userOpHash),
    );
    return own?.nonce;
  } catch {
    return undefined;
  }
}
