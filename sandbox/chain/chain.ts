import pLimit from 'p-limit';
import type { Hex } from 'viem';
import { networks, usualNetwork } from '../../src/custody/networks/networks';
import { createAccountAddress } from './account/accountAddress';
import type { Artifacts } from './genesis/artifacts';
import { contractAddresses } from './genesis/contracts';
import { buildNode, type ChainRecord } from './node/buildNode';
import type { NodeCall } from './node/callNode';
import { createChainClient, readInOrder, relayTo } from './node/client';
import { patienceMs, startLiveNode } from './node/liveNode';
import { createMarks, type Mark } from './node/marks';
import { type BlockInput, mineBlock } from './node/mineBlock';
import { deriveOperators } from './node/operators';
import { createNumberReader } from './node/readNumber';

export type ChainOptions = {
  /** 16 to 64 bytes: who the operators are, and so everything that follows from them. */
  seed: Hex;
  artifacts: Artifacts;
  /** Read whenever a node is built: at the start, and after a node has died. */
  blocks?: ChainRecord['blocks'];
};

export type Chain = Awaited<ReturnType<typeof startChain>>;

/** Arc testnet's id, and its lowest base fee (20 gwei), which it has nearly always. */
const { chainId, baseFeeMin: baseFeePerGas } = networks[usualNetwork];
const genesisTimestampS = Date.UTC(2026, 0, 1) / 1000;

/**
 * Starts a chain of our own: puts the contracts on its node, and replays the recorded blocks.
 * Nothing happens on it but by `mineBlock`. It outlives its node: when that is killed or hangs,
 * reads wait until another has all the blocks.
 */
export async function startChain(options: ChainOptions) {
  const { artifacts } = options;
  const operators = deriveOperators(options.seed);
  const contracts = contractAddresses(artifacts, operators.deployer.address);
  const record: ChainRecord = {
    artifacts,
    contracts,
    operators,
    chainId,
    baseFeePerGas,
    genesisTimestampS,
    blocks: options.blocks ?? (() => []),
  };
  const live = await startLiveNode((noteStarted) => buildNode(record, noteStarted));
  const { pid, lost, stop, replace: rebuild } = live;
  const marks = createMarks(live);
  const inTurn = pLimit(1);
  const client = createChainClient(chainId, live.ask);
  return {
    chainId,
    /** The same in every block. */
    baseFeePerGas,
    contracts,
    operators,
    /** Process id of the newest node. */
    pid,
    /** Resolves with the reason when no node can be made the recorded chain any more. */
    lost,
    stop,
    /** Rebuilds the chain from its record. Reads wait for that. */
    rebuild,
    accountAddress: createAccountAddress(artifacts, contracts),
    /** For reading. */
    client,
    /** The same for what is read all the time. */
    readNumber: createNumberReader(client),
    /** The same in the node's own words, in their order. */
    ask: (calls: readonly NodeCall[]) => live.ask(({ rpcUrl }) => readInOrder(rpcUrl, calls)),
    /** A JSON-RPC request of somebody else's, and its answer, as they are. */
    relay: (body: unknown) => live.ask(({ rpcUrl }) => relayTo(rpcUrl, body, patienceMs)),
    /**
     * Mines exactly one block. Calls run one after the other. After an error the block may have
     * been mined, unless it has a number and is retried with that number.
     */
    mineBlock: (input: BlockInput) => inTurn(() => live.askOnce((node) => mineBlock(node, input))),
    /**
     * Marks the chain as it is, and does this before the next block. Undefined where the node
     * cannot say how to come back.
     */
    mark: (work: () => void): Promise<Mark | undefined> =>
      inTurn(async () => {
        const mark = await marks.set().catch(() => undefined);
        work();
        return mark;
      }),
    /** Takes back every block since the mark. False where that cannot be done. */
    goBack: (mark: Mark) => inTurn(() => marks.goBack(mark).catch(() => false)),
  };
}
