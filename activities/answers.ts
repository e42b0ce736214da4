import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { type Ends, messageOf, type SealedEnds, sealedEnds } from '../src/answers/end';
import type { Receiver } from '../src/answers/receiver';
import { isSealed, sealOf } from '../src/answers/sign';
import { stop } from './failure';
import { isOwnOrder } from './ownRun';

/** Seals ends. Workers of the role workflows run it, in the process that runs the order. */
export function sealingActivities(receiver?: Pick<Receiver, 'settings'>) {
  return {
    /** Seals the ends of its own order, so that nobody else can have the receiver told of any. */
    async sealEnds(ends: Ends): Promise<string> {
      if (!isOwnOrder(ends.orderId)) {
        throw stop('Refused', `Only an order tells its ends. ${ends.orderId} did not ask.`);
      }
      if (receiver !== undefined) return sealOf(ends, receiver.settings.keys);
      throw stop(
        'NeedsOperator',
        'STEADFAST_ANSWERS_URL is not set on this worker, but is on one of the role reads.',
      );
    },
  };
}

/** Progress of one activity, which its heartbeats keep: what is told, and where the next try begins. */
type Told = { told: number[]; from: number };

/** Tells a receiver. The queue `<queue>-answers` has it, so that no slow receiver delays an order. */
export function answerActivities(receiver: Receiver) {
  const { keys } = receiver.settings;
  return {
    /**
     * Tells the receiver each of some ends, one after the other. Throws while some are left, so
     * that Temporal tries again later, and goes on where this try has stopped.
     */
    async tellReceiver(input: SealedEnds): Promise<{ told: number }> {
      const sealed = sealedEnds.safeParse(input).data;
      if (sealed === undefined || !isSealed(sealed, keys)) {
        throw stop(
          'Refused',
          'These ends have no seal of a worker with a secret of this receiver. Nothing is told.',
        );
      }
      const left = await tellAll(receiver, sealed);
      if (left === undefined) return { told: sealed.ends.length };
      throw ApplicationFailure.create({
        type: 'Untold',
        message: left.reason,
        category: ApplicationFailureCategory.BENIGN,
        // A receiver that hears some is back. The rest need not wait as long as it was away.
        ...(left.isHeard ? { nextRetryDelay: soonMs } : {}),
      });
    },
  };
}

const soonMs = 5_000;

/** Returns why ends are left, and whether any was heard. Undefined if none is left. One that the receiver does not take is passed over. */
async function tellAll(
  receiver: Receiver,
  { orderId, ends }: SealedEnds,
): Promise<{ reason: string; isHeard: boolean } | undefined> {
  const { info, cancellationSignal, heartbeat } = Context.current();
  const { told, from = 0 }: Told = info.heartbeatDetails ?? { told: [], from: 0 };
  const done = new Set(told);
  const turns = ends.map((_, at) => (at + from) % ends.length).filter((at) => !done.has(at));
  let reason = 'the worker stops';
  for (const at of turns) {
    const end = ends[at];
    if (end === undefined) continue;
    if (cancellationSignal.aborted) break;
    const heard = await receiver.send(messageOf(orderId, end), cancellationSignal);
    if (heard.heard) done.add(at);
    else reason = heard.reason;
    // The next try begins behind one that was not answered, so that it stands in no other's way.
    heartbeat({ told: [...done], from: at + 1 } satisfies Told);
    if (!heard.heard && !heard.isReached) break;
  }
  const left = ends.length - done.size;
  if (left === 0) return undefined;
  const isHeard = done.size > told.length;
  return { reason: `${left} of ${ends.length} not told yet: ${reason}.`, isHeard };
}
