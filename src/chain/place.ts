import type { Hash, PublicClient } from 'viem';
import { paidBy } from './batchEffect';
import { type Effect, movedBy } from './effect';
import {
  type Execution,
  isOwnTransaction,
  type Mined,
  operationExecution,
  ownExecution,
  type Who,
} from './execution';

/** The place of a transaction on the chain, for its receipt. */
export type Place = {
  blockNumber: number;
  blockTime: string;
  /** In base units of the native coin. */
  fee: string;
  /** The log of each payment that the write makes. Null where it made none, or none was logged. */
  logs: (number | null)[];
};

/** Reads a transaction that is in a block. */
export async function readMined(chain: PublicClient, hash: Hash): Promise<Mined> {
  const [transaction, receipt] = await Promise.all([
    chain.getTransaction({ hash }),
    chain.getTransactionReceipt({ hash }),
  ]);
  return { transaction, receipt };
}

/** Reads the place of a write, or of a user operation in its bundle. */
export async function placeOf(
  chain: PublicClient,
  { effect, ...who }: Who & { effect: Effect },
  mined: Mined,
): Promise<Place | undefined> {
  const execution = isOwnTransaction(mined, who)
    ? ownExecution(mined)
    : operationExecution(mined, who);
  if (typeof execution === 'string') return undefined;
  const { blockNumber } = mined.receipt;
  const { timestamp } = await chain.getBlock({ blockNumber });
  return {
    blockNumber: Number(blockNumber),
    blockTime: new Date(Number(timestamp) * 1_000).toISOString(),
    fee: `${execution.fee}`,
    logs: execution.success ? logsOf(effect, execution) : [],
  };
}

function logsOf(effect: Effect, execution: Execution): (number | null)[] {
  if (effect.kind === 'batch') return paidBy(effect, execution).logs;
  return [movedBy(effect, execution)[0]?.logIndex ?? null];
}
