import { presentField } from '../../store/records/records';
import { recordedHead } from '../confirm/recordedHead';
import type { EngineParts } from '../parts';
import type { TurnSchedule } from '../schedule';
import { move } from '../stage';
import { type SignedQueue, signQueue } from './signQueue';

type Parts = Pick<EngineParts, 'store' | 'chain' | 'keys' | 'settings'>;

/** Says if more can be signed now, and if something failed and has to be retried. */
type BroadcastResult = { again: boolean; failed: boolean };

/**
 * Signs what is queued, in the order of each wallet, and stores it: QUEUED to SENT. Nothing has
 * left yet. What is stored is mined with a coming block, also after a crash.
 */
export async function broadcastQueued(
  parts: Parts,
  schedule: TurnSchedule,
): Promise<BroadcastResult> {
  const accepted = schedule.accepted('QUEUED');
  const wallets = parts.store.transactions.walletsIn('QUEUED');
  // Nonces and estimates are the chain's, so it has to be the recorded one.
  if (wallets.length > 0) await recordedHead(parts);
  const queues = await Promise.all(
    wallets.map((walletId) => signQueue(parts, { walletId, accepted })),
  );
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
 * Stores each signed transaction together with the new stage of its record. A transaction that was
 * cancelled meanwhile is not sent. Later ones wait too: their nonces would follow a gap.
 */
function send({ store }: Parts, { signed }: SignedQueue): void {
  for (const { row, broadcast } of signed) {
    const now = store.transactions.get(row.id);
    if (now?.stage !== 'QUEUED') return;
    store.broadcasts.insert(broadcast);
    move(store, now, {
      event: 'sent',
      ...presentField('estimatedFee', row.estimatedFee),
      ...presentField('userOpHash', row.userOpHash),
      ...presentField('txHash', row.txHash),
    });
  }
}
