import {
  type Block,
  type Hash,
  type PublicClient,
  parseAbi,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { type Effect, movedBy } from '../../chain/effect';
import {
  type Execution,
  isOwnTransaction,
  type Mined,
  operationExecution,
  ownExecution,
  type Who,
} from '../../chain/execution';
import type { ChainMovement } from '../../chain/movements';
import { hex, readChain } from '../../chain/readChain';
import { blockLogs } from '../../chain/unpaid';
import { moneyOf } from '../../custody/objects/money';
import { createRecent } from '../../custody/sharing';
import { type Trust, trustOf } from './trust';

/** A transaction as a node shows it. All that it shows is worked out once. */
export type ShownTransaction = {
  mined: Mined;
  trust: Trust;
  /** One account's part of it, or a sentence that says why there is none. */
  executionOf(who: Who): Execution | string;
  movedBy(effect: Effect, execution: Execution): readonly ChainMovement[];
};

/** A node of the chain that is asked for each fact once, however many receipts rest on it. */
export type Witness = {
  chainId(): Promise<number>;
  /** Undefined if the transaction is in no block. */
  transaction(hash: string): Promise<ShownTransaction | undefined>;
  block(number: bigint): Promise<Pick<Block, 'hash' | 'timestamp'>>;
  decimals(token: string): Promise<number>;
};

/** Facts of one kind that are kept. Receipts are read by their blocks, so older ones are done. */
const keptMax = 100;

/** Opens the node at a URL, which may hold a key. Errors name only its origin. */
export function openWitness(url: string): Witness {
  const ask = <T>(read: (chain: PublicClient) => Promise<T>): Promise<T> => readChain(url, read);
  const logsOf = once((hash: Hash) => ask((chain) => blockLogs(chain, hash)));
  const chainId = once((_: 'own') => ask((chain) => chain.getChainId()));
  return {
    chainId: () => chainId('own'),
    transaction: once(async (hash: string) => {
      const mined = await ask((chain) => minedAs(chain, hex(hash)));
      if (mined === undefined) return undefined;
      return shownBy(mined, await trustOf(mined, () => logsOf(mined.receipt.blockHash)));
    }),
    block: once((blockNumber: bigint) => ask((chain) => chain.getBlock({ blockNumber }))),
    decimals: once((token: string) =>
      ask((chain) =>
        chain.readContract({
          address: hex(token),
          abi: parseAbi(['function decimals() view returns (uint8)']),
          functionName: 'decimals',
        }),
      ),
    ),
  };
}

/** Asks for each thing once, and keeps the newest answers. A failure is no answer. */
function once<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const kept = createRecent<Key, Promise<Answer>>(keptMax);
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const asked = ask(key);
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    return asked;
  };
}

/** A batch has a hundred receipts, and each of them rests on all of its calls and logs. */
function shownBy(mined: Mined, trust: Trust): ShownTransaction {
  const executions = new Map<string, Execution | string>();
  const moved = new Map<string, readonly ChainMovement[]>();
  return {
    mined,
    trust,
    executionOf: (who) => {
      const { sender, userOpHash = '' } = who;
      return keptIn(executions, `${sender} ${userOpHash}`.toLowerCase(), () =>
        isOwnTransaction(mined, who) ? ownExecution(mined) : operationExecution(mined, who),
      );
    },
    movedBy: (effect, execution) => {
      const place = [...executions.values()].indexOf(execution);
      return keptIn(moved, `${place} ${moneyIn(effect)}`, () => movedBy(effect, execution));
    },
  };
}

/** The money of an effect, which decides what has moved it. */
function moneyIn(effect: Effect): string {
  if (effect.kind === 'mint') return `mint ${effect.contractAddress}`.toLowerCase();
  if (effect.kind !== 'transfer') return effect.kind;
  return `transfer ${moneyOf(effect.tokenAddress, effect.blockchain)}`;
}

function keptIn<Answer>(kept: Map<string, Answer>, key: string, make: () => Answer): Answer {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

async function minedAs(chain: PublicClient, hash: Hash): Promise<Mined | undefined> {
  try {
    const [transaction, receipt] = await Promise.all([
      chain.getTransaction({ hash }),
      chain.getTransactionReceipt({ hash }),
    ]);
    return { transaction, receipt };
  } catch (error) {
    const isNone =
      error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError;
    if (isNone) return undefined;
    throw error;
  }
}
