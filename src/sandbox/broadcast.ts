import { parseTransaction } from 'viem';
import { nextNonce, toBroadcast } from './broadcastRow';
import { signBundle, splitIntoBundles } from './chain/bundle';
import { feesOf } from './fees';
import { nextStage } from './lifecycle';
import type { BroadcastRow, TransactionRow } from './records';
import type { Service } from './service';
import { type Queue, type ReadyOperation, signQueue } from './signQueue';

type Parts = Pick<Service, 'store' | 'chain' | 'keys'>;

/**
 * Signs what is queued, in the order of each wallet, and stores it: QUEUED to SENT. Nothing has
 * left yet; what is stored is mined with the next block, also after a crash.
 */
export async function broadcastQueued(parts: Parts): Promise<void> {
  const queues = byWallet(parts.store.transactions.where('stage', 'QUEUED'));
  const ready = await Promise.all(queues.map((queue) => signQueue(parts, queue)));
  for (const { row, broadcast } of ready.flatMap(({ transactions }) => transactions)) {
    send(parts, broadcast, [row]);
  }
  // Last, since it asks the chain once more: where that fails, all else is on its way.
  await bundle(
    parts,
    ready.flatMap(({ operations }) => operations),
  );
}

function byWallet(rows: TransactionRow[]): Queue[] {
  const queues = new Map<string, TransactionRow[]>();
  for (const row of rows) queues.set(row.walletId, [...(queues.get(row.walletId) ?? []), row]);
  return [...queues].map(([walletId, queued]) => ({ walletId, rows: queued }));
}

async function bundle(parts: Parts, ready: readonly ReadyOperation[]): Promise<void> {
  if (ready.length === 0) return;
  const { chain } = parts;
  const { address } = chain.operators.bundler;
  const fees = feesOf('HIGH', chain.baseFeePerGas);
  let nonce = await nextNonce(parts, address);
  for (const userOperations of splitIntoBundles(ready.map((one) => one.operation.userOperation))) {
    const signed = await signBundle(chain, { userOperations, nonce, fees });
    const { gas = 0n } = parseTransaction(signed.transaction);
    const cost = gas * fees.maxFeePerGas;
    const carried = ready.filter(({ operation }) =>
      userOperations.includes(operation.userOperation),
    );
    send(
      parts,
      toBroadcast(signed, { sender: address, nonce, gas, cost }),
      carried.map(({ row }) => row),
    );
    nonce += 1;
  }
}

/** Stores a signed transaction together with the new stage of all that it carries. */
function send({ store }: Parts, broadcast: BroadcastRow, rows: readonly TransactionRow[]): void {
  store.atomically(() => {
    store.broadcasts.insert(broadcast);
    for (const row of rows) {
      const { estimatedFee, userOpHash } = row;
      store.transactions.update(row.id, {
        stage: nextStage(row.stage, 'sent'),
        txHash: broadcast.id,
        updatedAtMs: Date.now(),
        ...(estimatedFee === undefined ? {} : { estimatedFee }),
        ...(userOpHash === undefined ? {} : { userOpHash }),
      });
    }
  });
}
