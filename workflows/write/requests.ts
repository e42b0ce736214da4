import { sends, stopOf } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { noteDone, noteFault } from '../order/show';
import type { WriteName } from './step';

/**
 * Asks the service to cancel an accepted transaction, if the order is to be cancelled. Its polls
 * show how it ends.
 */
export async function cancelWhenAsked(
  live: LiveOrder,
  write: WriteName & { doing: string },
  id = '',
): Promise<void> {
  if (!isToCancel(live, id)) return;
  const request = requestOf(live, write, { step: 'cancel', generation: 0, transactionId: id });
  try {
    await sends(`ask to cancel the ${write.doing}`).cancelTransaction(request);
    noteDone(live, `${write.doing}: the service was asked to cancel it`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    // A refusal means that it is too late. Anything else is asked again at the next poll.
    if (stop.type !== 'Refused') return;
    noteFault(live, `${write.doing}: the service does not cancel it. ${stop.message}`);
  }
  live.carried.done[pathOfCancel(id)] = true;
}

/** True while the service is still to be asked to cancel a transaction. */
export function isToCancel({ carried }: LiveOrder, id: string): boolean {
  return carried.cancelAsked === true && !(pathOfCancel(id) in carried.done);
}

const pathOfCancel = (id: string): string => `asked to cancel ${id}`;

/** A request about an accepted transaction. It moves no more money if it comes twice. */
export function requestOf(
  live: LiveOrder,
  named: WriteName,
  { transactionId, ...of }: { step: string; generation: number; transactionId: string },
) {
  const own = live.writes.identityOf(named);
  // Somebody may find another transaction of the same write.
  const parts = { ...own.parts, ...of, item: `${live.writes.targetOf(named)}/${transactionId}` };
  const always = { earlierTries: 'clean' as const, bornAtMs: Date.now(), validUntil: undefined };
  // It is about a transaction that is known, so no look-up has to come before.
  return { ...own, ...always, lookedUpAgoMs: undefined, parts, transactionId };
}
