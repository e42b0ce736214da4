import type { Hex } from 'viem';
import { callNode } from './callNode';
import { fixBaseFee, type MiningNode, mineBlind, mineBlock } from './mineBlock';

/** A block as its owner recorded it. With the hash, if that was known, the replay is checked. */
export type RecordedBlock = {
  number: bigint;
  timestampS: number;
  transactions: readonly Hex[];
  hash?: Hex | undefined;
};

/** The node makes another chain of the record than it is the record of. */
export class RecordMismatchError extends Error {
  override readonly name = 'RecordMismatchError';
}

/**
 * Mines recorded blocks again. A block's hash covers its parents, its transactions and their
 * outcomes, so one comparison at the end shows that the whole chain is the same.
 */
export async function replayBlocks(
  node: MiningNode,
  blocks: Iterable<RecordedBlock> | AsyncIterable<RecordedBlock>,
): Promise<void> {
  let number = await node.client.getBlockNumber();
  let lastKnown: RecordedBlock | undefined;
  for await (const block of blocks) {
    number += 1n;
    if (block.number !== number) {
      throw new RecordMismatchError(
        `The record of the chain has block ${block.number} where ${number} belongs.`,
      );
    }
    const { timestampS, transactions, hash } = block;
    // The transactions of a block without a hash were never looked at.
    const mine = hash === undefined && transactions.length > 0 ? mineBlock : mineBlind;
    await mine(node, { timestampS, transactions });
    if (hash !== undefined) lastKnown = block;
  }
  await callNode(node.rpcUrl, fixBaseFee(node));
  if (lastKnown === undefined) return;
  const rebuilt = await node.client.getBlock({ blockNumber: lastKnown.number });
  if (rebuilt.hash !== lastKnown.hash) {
    throw new RecordMismatchError(
      `The rebuilt chain differs from its record.\nBlock: ${rebuilt.number}\n` +
        `Recorded: ${lastKnown.hash}\nRebuilt: ${rebuilt.hash}`,
    );
  }
}
