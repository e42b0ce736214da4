import { createRecent } from '../custody/sharing';
import type { Notice } from './http/notice';
import { targetOf } from './target';
import type { Wake } from './wake';

/**
 * The result of a genuine notice. woken: somebody who waits has it. started: a workflow was started
 * for received money. over: the order has ended, or Temporal has forgotten it. repeated: handed on
 * before. foreign: nobody here waits for it. old: polls have found it long ago. notFinal: there is
 * more to come. other: not about a transaction.
 */
export type HandedOn =
  | ('woken' | 'started' | 'over' | 'repeated' | 'foreign')
  | ('old' | 'notFinal' | 'other');

export type Receivers = {
  /** Wakes one order. */
  wakeOrder: Wake;
  /** Wakes the running parts of a payout. */
  wakePayout: Wake;
  /** Wakes the orders that wait for money at an address. */
  wakeWaiting: Wake;
  /** Starts the workflow for received money, once for each transaction. Unset: nobody wants it. */
  startReceived?: ((transactionId: string) => Promise<'started' | 'repeated'>) | undefined;
};

const hourMs = 3_600_000;
/** Polls have found a transaction by then. */
const wakesForMs = hourMs;
/** The service repeats a notice for two days at most. Later ones are replays. */
const startsForMs = 72 * hourMs;
const recentMax = 20_000;

/**
 * Hands a genuine notice on to whoever waits for it. Its reference and its recipient choose whom to
 * wake, and nothing else of it is used. Rejects where it could not be handed on.
 */
export function createHandOn(receivers: Receivers): (notice: Notice) => Promise<HandedOn> {
  const recent = createRecent<string, Promise<HandedOn>>(recentMax);
  return async (notice) => {
    const { about, final, transactionId } = notice;
    if (about === 'other') return 'other';
    if (final === undefined) return 'notFinal';
    const ageMs = Date.now() - notice.atMs;
    if (!(ageMs < (about === 'inbound' ? startsForMs : wakesForMs))) return 'old';
    const name = `${about} ${transactionId}`;
    const earlier = recent.get(name);
    if (earlier !== undefined) return earlier.then(() => 'repeated');
    const handed = (about === 'inbound' ? received : settled)(receivers, notice);
    recent.set(name, handed);
    // The service sends it again, and then it is the first one.
    handed.catch(() => recent.delete(name));
    return handed;
  };
}

async function settled(receivers: Receivers, { id, reference }: Notice): Promise<HandedOn> {
  const target = targetOf(reference);
  if (target === undefined) return 'foreign';
  const wake = target.kind === 'payout' ? receivers.wakePayout : receivers.wakeOrder;
  return wake(target.workflowId, id);
}

async function received(receivers: Receivers, notice: Notice): Promise<HandedOn> {
  const { id, recipient, transactionId, final, atMs } = notice;
  const started = final === 'COMPLETE' ? await receivers.startReceived?.(transactionId) : undefined;
  const isFresh = Date.now() - atMs < wakesForMs;
  const woken =
    recipient !== undefined && isFresh ? await receivers.wakeWaiting(recipient, id) : 'over';
  if (woken === 'woken') return 'woken';
  return started ?? 'foreign';
}
