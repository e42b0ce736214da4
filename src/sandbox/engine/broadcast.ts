import type { Service } from '../service';
import { recordedHead } from './recordedHead';
import type { Schedule } from './schedule';
import { type SignedQueue, signQueue } from './signQueue';
import { move } from './stage';

type Parts = Pick<Service, 'store' | 'chain' | 'keys'>;

/** Whether something can be signed that could not before, or has to be tried again. */
export type BroadcastResult = { again: boolean; failed: boolean };

/**
 * Signs what is queued, in the order of each wallet, and stores it: QUEUED to SENT. Nothing has
 * left yet; what is stored is mined with a coming block, also after a crash.
 */
export async function broadcastQueued(parts: Parts, schedule: Schedule): Promise<BroadcastResult> {
  const byMs = schedule.acceptedBy('QUEUED');
  const wallets = parts.store.transactions.walletsIn('QUEUED');
  // Nonces and estimates are the chain's, so it has to be the recorded one.
  if (wallets.length > 0) await recordedHead(parts);
  const queues = await Promise.all(wallets.map((walletId) => signQueue(parts, { walletId, byMs })));
  // One commit for all: each has its price, and nothing leaves before the next block.
  parts.store.atomically(() => {
    for (const queue of queues) send(parts, queue);
  });
  return {
    again: queues.some(({ again }) => again),
    failed: queues.some(({ failed }) => failed),
  };
}

/**
 * Stores each signed transaction together with the new stage of its record. One that was cancelled
 * meanwhile is not sent, and neither are those after it, which would leave a gap in the nonces.
 */
function send({ store }: Parts, { signed }: SignedQueue): void {
  for (const { row, broadcast } of signed) {
    const now = store.transactions.get(row.id);
    if (now?.stage !== 'QUEUED') return;
    store.broadcasts.insert(broadcast);
    const { estimatedFee, userOpHash, txHash } = row;
    move(store, now, {
      event: 'sent',
      ...(estimatedFee === undefined ? {} : { estimatedFee }),
      ...(userOpHash === undefined ? {} : { userOpHash }),
      ...(txHash === undefined ? {} : { txHash }),
    });
  }
}
