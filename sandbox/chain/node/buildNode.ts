import type { Child } from '../../../src/local/childProcess';
import { type GenesisOptions, genesisState, genesisTransactions } from '../genesis/genesis';
import { type Anvil, startAnvil } from './anvil';
import { callNodeInOrder } from './callNode';
import { createNodeClient } from './client';
import { genesisGasMax } from './gasLimits';
import { type BlockInput, fixBaseFee, fixGasLimit, type MiningNode, mineBlock } from './mineBlock';
import { type RecordedBlock, replayBlocks } from './replayBlocks';

/** The record of a chain: how it begins, and the blocks since then. */
export type ChainRecord = GenesisOptions & {
  genesisTimestampS: number;
  /** The blocks above the genesis as they are recorded now, in their order, from number 2 on. */
  blocks: () => Iterable<RecordedBlock> | AsyncIterable<RecordedBlock>;
};

/** A node with a whole chain on it. */
export type SandboxNode = Anvil & MiningNode;

/** Starts a node, puts the genesis on it, and replays the recorded blocks: all of it, or nothing. */
export async function buildNode(
  record: ChainRecord,
  noteStarted: (process: Child) => void,
): Promise<SandboxNode> {
  const { chainId, genesisTimestampS, baseFeePerGas } = record;
  const transactions = genesisTransactions(record);
  const anvil = await startAnvil(
    { chainId, genesisTimestampS, baseFeePerGas, blockGasLimit: genesisGasMax },
    noteStarted,
  );
  try {
    const node = { ...anvil, client: createNodeClient(chainId, anvil), baseFeePerGas };
    await callNodeInOrder(anvil.rpcUrl, [...genesisState(record), fixBaseFee(node)]);
    await mineGenesis(node, {
      timestampS: genesisTimestampS + 1,
      transactions: await transactions,
    });
    await callNodeInOrder(anvil.rpcUrl, [fixGasLimit]);
    await replayBlocks(node, record.blocks());
    return node;
  } catch (error) {
    await anvil.kill();
    throw error;
  }
}

/** A genesis that is not whole is of no use to anybody. */
async function mineGenesis(node: MiningNode, input: BlockInput): Promise<void> {
  const { results } = await mineBlock(node, input);
  results.forEach((result, step) => {
    if (result.included && result.receipt.status === 'success') return;
    const reason = result.included ? 'reverted' : result.reason;
    throw new Error(`Step ${step} of the genesis failed: ${reason}`);
  });
}
