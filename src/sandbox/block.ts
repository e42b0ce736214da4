import type { TransactionReceipt } from 'viem';
import { readOutcomes } from './chain/readOutcomes';
import { toNetworkFee } from './fees';
import { nextStage } from './lifecycle';
import type { BroadcastRow, TransactionRow } from './records';
import type { Service } from './service';

type Parts = Pick<Service, 'store' | 'chain'>;

/** What a block can hold. */
const blockGasMax = 30_000_000n;

/**
 * Mines one block with what waits for one, if anything does. The block is written down before it is
 * mined: a chain that is lost in between is rebuilt with it.
 */
export async function mineWaiting(parts: Parts): Promise<BroadcastRow[]> {
  const { store, chain } = parts;
  const waiting = firstThatFit(store.broadcasts.where('status', 'pending'));
  if (waiting.length === 0) return [];
  const last = await chain.client.getBlock();
  const block = {
    number: Number(last.number) + 1,
    // Blocks of one chain have rising times, so a burst of them runs ahead of the clock.
    timestampS: Math.max(Math.floor(Date.now() / 1_000), Number(last.timestamp) + 1),
    transactions: waiting.map(({ raw }) => raw),
  };
  store.atomically(() => {
    store.blocks.put(block);
    for (const { id } of waiting) store.broadcasts.update(id, { status: 'assigned' });
  });
  const { hash } = await chain.mineBlock(block);
  store.blocks.put({ ...block, hash });
  return readMined(parts);
}

/** Reads the outcome of everything that is in a block, and has not been read yet. */
export async function readMined(parts: Parts): Promise<BroadcastRow[]> {
  const { store, chain } = parts;
  const assigned = store.broadcasts.where('status', 'assigned');
  const receipts = await Promise.all(
    assigned.map(({ id }) =>
      chain.client.getTransactionReceipt({ hash: asHash(id) }).catch(() => undefined),
    ),
  );
  store.atomically(() => {
    assigned.forEach((broadcast, index) => {
      conclude(parts, broadcast, receipts[index]);
      store.broadcasts.update(broadcast.id, { status: 'done' });
    });
  });
  return assigned;
}

function firstThatFit(waiting: BroadcastRow[]): BroadcastRow[] {
  let gas = 0n;
  return waiting.filter((broadcast) => {
    gas += BigInt(broadcast.gas);
    return gas <= blockGasMax;
  });
}

/** What became of one signed transaction, for every record that it carries. */
function conclude(
  parts: Parts,
  broadcast: BroadcastRow,
  receipt: TransactionReceipt | undefined,
): void {
  const rows = parts.store.transactions.where('txHash', broadcast.id);
  if (receipt === undefined) {
    const details = 'The node did not take the transaction.';
    for (const row of rows) fail(parts, row, { errorReason: 'INTERNAL_ERROR', details });
    return;
  }
  const { entryPoint } = parts.chain.contracts;
  const outcomes = readOutcomes(receipt, { entryPoint });
  for (const row of rows) {
    const outcome = outcomes.find(({ userOpHash }) => userOpHash === row.userOpHash);
    const success = outcome?.success ?? (receipt.status === 'success' && !row.userOpHash);
    const paid = outcome?.actualGasCost ?? receipt.gasUsed * receipt.effectiveGasPrice;
    const mined: Partial<TransactionRow> = {
      blockHash: receipt.blockHash,
      blockHeight: Number(receipt.blockNumber),
      networkFee: toNetworkFee(paid),
      confirmedAtMs: Date.now(),
    };
    if (success) confirm(parts, row, mined);
    else {
      const details = outcome?.revertReason ?? 'The transaction reverted.';
      fail(parts, row, { errorReason: 'FAILED_ON_CHAIN', details, mined });
    }
  }
}

function confirm(parts: Parts, row: TransactionRow, mined: Partial<TransactionRow>): void {
  const { store } = parts;
  const now = Date.now();
  store.transactions.update(row.id, {
    ...mined,
    stage: nextStage(row.stage, 'mined'),
    updatedAtMs: now,
  });
  if (row.contractId === undefined || row.txHash === undefined) return;
  store.contracts.update(row.contractId, { mined: true, txHash: row.txHash, updatedAtMs: now });
}

function fail(
  parts: Parts,
  row: TransactionRow,
  why: { errorReason: string; details: string; mined?: Partial<TransactionRow> },
): void {
  const { store } = parts;
  const facts = {
    errorReason: why.errorReason,
    errorDetails: why.details,
    updatedAtMs: Date.now(),
  };
  store.transactions.update(row.id, {
    ...why.mined,
    ...facts,
    stage: nextStage(row.stage, 'failed'),
  });
  if (row.contractId !== undefined) {
    store.contracts.update(row.contractId, { ...facts, status: 'FAILED' });
  }
}

function asHash(id: string): `0x${string}` {
  return `0x${id.slice(2)}`;
}
