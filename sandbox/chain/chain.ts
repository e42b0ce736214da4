import pLimit from 'p-limit';
import type { Hex, PublicClient } from 'viem';
import { type AccountAddress, createAccountAddress } from './account/accountAddress';
import type { Artifacts } from './genesis/artifacts';
import { type Contracts, contractAddresses } from './genesis/contracts';
import { buildNode, type ChainRecord } from './node/buildNode';
import { callNodeInOrder, type NodeAnswer, type NodeCall } from './node/callNode';
import { createChainClient, relayTo } from './node/client';
import { patienceMs, startLiveNode } from './node/liveNode';
import { createMarks, type Mark } from './node/marks';
import { type BlockInput, type MinedBlock, mineBlock } from './node/mineBlock';
import { deriveOperators, type Operators } from './node/operators';
import { createNumberReader, type ReadNumber } from './node/readNumber';

export type ChainOptions = {
  /** 16 to 64 bytes: who the operators are, and so everything that follows from them. */
  seed: Hex;
  artifacts: Artifacts;
  /** Read whenever a node is built: at the start, and after a node has died. */
  blocks?: ChainRecord['blocks'];
  chainId?: number;
  genesisTimestampS?: number;
};

/**
 * A running chain of our own. Nothing happens on it but by `mineBlock`. It outlives its node: when
 * that is killed or hangs, reads wait until another has all the blocks.
 */
export type Chain = {
  chainId: number;
  /** The same in every block. */
  baseFeePerGas: bigint;
  contracts: Contracts;
  operators: Operators;
  accountAddress: AccountAddress;
  /** For reading. */
  client: PublicClient;
  /** The same for what is read all the time. */
  readNumber: ReadNumber;
  /** The same in the node's own words: each call takes effect before the next. */
  ask(calls: readonly NodeCall[]): Promise<NodeAnswer[]>;
  /** A JSON-RPC request of somebody else's, and its answer, as they are. */
  relay(body: unknown): Promise<unknown>;
  /**
   * Mines exactly one block. Calls run one after the other. After an error the block may have been
   * mined, unless it has a number and is retried with that number.
   */
  mineBlock(input: BlockInput): Promise<MinedBlock>;
  /**
   * Marks the chain as it is, and does this before the next block. Undefined where the node cannot
   * say how to come back.
   */
  mark(work: () => void): Promise<Mark | undefined>;
  /** Takes back every block since the mark. False where that cannot be done. */
  goBack(mark: Mark): Promise<boolean>;
  /** Rebuilds the chain from its record. Reads wait for that. */
  rebuild(): Promise<void>;
  /** Process id of the newest node. */
  pid(): number;
  /** Resolves with the reason when no node can be made the recorded chain any more. */
  lost: Promise<Error>;
  stop(): Promise<void>;
};

/** Arc testnet's id, and its lowest base fee (20 gwei), which it has nearly always. */
const arcTestnetChainId = 5_042_002;
const baseFeePerGas = 20_000_000_000n;
const defaultGenesisTimestampS = Date.UTC(2026, 0, 1) / 1000;

/** Starts the node, puts the contracts on it, and replays the recorded blocks. */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const chainId = options.chainId ?? arcTestnetChainId;
  const { artifacts } = options;
  const operators = deriveOperators(options.seed);
  const contracts = contractAddresses(artifacts, operators.deployer.address);
  const record: ChainRecord = {
    artifacts,
    contracts,
    operators,
    chainId,
    baseFeePerGas,
    genesisTimestampS: options.genesisTimestampS ?? defaultGenesisTimestampS,
    blocks: options.blocks ?? (() => []),
  };
  const live = await startLiveNode((noteStarted) => buildNode(record, noteStarted));
  const { pid, lost, stop, replace: rebuild } = live;
  const marks = createMarks(live);
  const inTurn = pLimit(1);
  const client = createChainClient(chainId, live.ask);
  return {
    chainId,
    baseFeePerGas,
    contracts,
    operators,
    pid,
    lost,
    stop,
    rebuild,
    accountAddress: createAccountAddress(artifacts, contracts),
    client,
    readNumber: createNumberReader(client),
    ask: (calls) => live.ask(({ rpcUrl }) => callNodeInOrder(rpcUrl, calls)),
    relay: (body) => live.ask(({ rpcUrl }) => relayTo(rpcUrl, body, patienceMs)),
    mineBlock: (input) => inTurn(() => live.askOnce((node) => mineBlock(node, input))),
    mark: (work) =>
      inTurn(async () => {
        const mark = await marks.set().catch(() => undefined);
        work();
        return mark;
      }),
    goBack: (mark) => inTurn(() => marks.goBack(mark).catch(() => false)),
  };
}
