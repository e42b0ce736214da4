import type { Hex, PublicClient } from 'viem';
import { startAnvil } from './anvil';
import { loadArtifacts } from './artifacts';
import { callNodeInOrder } from './callNode';
import { createChainClient } from './client';
import { type Contracts, contractAddresses } from './contracts';
import { blockGasMax } from './gasLimits';
import { genesisState, genesisTransactions } from './genesis';
import {
  type BlockInput,
  fixBaseFee,
  type MinedBlock,
  type MiningNode,
  mineBlock,
} from './mineBlock';
import { deriveOperators, type Operators } from './operators';
import { type RecordedBlock, replayBlocks } from './replayBlocks';

export type ChainOptions = {
  /** 16 to 64 bytes: who the operators are, and so everything that follows from them. */
  seed: Hex;
  /** Where compiled contracts are kept. */
  cacheFolder: string;
  /** The blocks to replay on the genesis, in their order, from number 2 on. */
  blocks?: Iterable<RecordedBlock> | AsyncIterable<RecordedBlock>;
  port?: number;
  chainId?: number;
  genesisTimestampS?: number;
};

/** A running chain of our own; nothing happens on it but by `mineBlock`. */
export type Chain = {
  rpcUrl: string;
  chainId: number;
  /** The same in every block. */
  baseFeePerGas: bigint;
  contracts: Contracts;
  operators: Operators;
  /** For reading. */
  client: PublicClient;
  /** Mines exactly one block; calls are taken one after the other. */
  mineBlock(input: BlockInput): Promise<MinedBlock>;
  /** Process id of the node. */
  pid: number;
  /** Resolves when the node has ended, whatever the reason. */
  exited: Promise<number | null>;
  stop(): Promise<void>;
};

/** Arc testnet's id, and its lowest base fee (20 gwei), which it has nearly always. */
export const arcTestnetChainId = 5_042_002;
const baseFeePerGas = 20_000_000_000n;
const defaultGenesisTimestampS = Date.UTC(2026, 0, 1) / 1000;

/** Starts the node, puts the contracts on it, and replays the recorded blocks. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const chainId = options.chainId ?? arcTestnetChainId;
  const genesisTimestampS = options.genesisTimestampS ?? defaultGenesisTimestampS;
  const [artifacts, anvil] = await bothOrNone(
    loadArtifacts(options.cacheFolder),
    startAnvil({
      chainId,
      genesisTimestampS,
      baseFeePerGas,
      blockGasLimit: blockGasMax,
      port: options.port,
    }),
  );
  const { rpcUrl, pid, exited } = anvil;
  const client = createChainClient(chainId, rpcUrl);
  const node: MiningNode = { rpcUrl, client, baseFeePerGas };
  const operators = deriveOperators(options.seed);
  const contracts = contractAddresses(artifacts, operators.deployer.address);
  try {
    const genesis = { artifacts, contracts, operators, chainId, baseFeePerGas };
    await callNodeInOrder(rpcUrl, [...genesisState(genesis), fixBaseFee(node)]);
    await mineGenesis(node, {
      timestampS: genesisTimestampS + 1,
      transactions: await genesisTransactions(genesis),
    });
    await replayBlocks(node, options.blocks ?? []);
  } catch (error) {
    await anvil.kill();
    throw error;
  }
  const inTurn = oneAtATime((input: BlockInput) => mineBlock(node, input));
  const stop = (): Promise<void> => anvil.stop();
  return {
    ...{ rpcUrl, chainId, baseFeePerGas, contracts, operators, client, pid, exited, stop },
    mineBlock: inTurn,
  };
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

/** Compiles while the node starts; when the compiler fails, the node does not stay behind. */
async function bothOrNone<Value, Node extends { kill(): Promise<void> }>(
  value: Promise<Value>,
  node: Promise<Node>,
): Promise<[Value, Node]> {
  try {
    return await Promise.all([value, node]);
  } catch (error) {
    await node.then(
      ({ kill }) => kill(),
      () => {},
    );
    throw error;
  }
}

function oneAtATime<Input, Output>(
  act: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const next = last.then(() => act(input));
    last = next.catch(() => {});
    return next;
  };
}
