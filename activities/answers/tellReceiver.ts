import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { endMessage, type SealedEnds, sealedEnds } from '../../src/client/answers/end';
import type { Receiver } from '../../src/client/answers/receiver';
import { hasSeal } from '../../src/client/answers/sign';
import { stop } from '../failure';

/** Progress of an activity, which its heartbeats keep. */
type Told = {
  /** The places of what is told. */
  told: number[];
  /** The place where the next try begins. */
  from: number;
  /** The number of tries in a row in which the receiver has heard nothing. */
  silent: number;
};

/** Tells a receiver. The queue `<queue>-answers` has it, so that no slow receiver delays an order. */
export function answerActivities(receiver: Receiver) {
  const { keys } = receiver.settings;
  return {
    /**
     * Tells the receiver each of some ends, one after the other. Throws while some are left. The
     * error says when Temporal tries again. The next try goes on where this one has stopped.
     */
    async tellReceiver(input: SealedEnds): Promise<{ told: number }> {
      const sealed = sealedEnds.safeParse(input).data;
      if (sealed === undefined || !hasSeal(sealed, keys)) {
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
        // Temporal would count all tries. A receiver that hears some is back, and need not wait.
        nextRetryDelay: Math.min(firstWaitMs * 2 ** left.silent, waitMsMax),
      });
    },
  };
}

const [firstWaitMs, waitMsMax] = [5_000, 900_000];

/**
 * Sends each end that is left. Passes over an end that the receiver does not accept. Returns the
 * reason if some are left, and undefined if none is.
 */
async function tellAll(
  receiver: Receiver,
  { orderId, ends }: SealedEnds,
): Promise<{ reason: string; silent: number } | undefined> {
  const { info, cancellationSignal, heartbeat } = Context.current();
  const { told, from, silent }: Told = info.heartbeatDetails ?? { told: [], from: 0, silent: 0 };
  const done = new Set(told);
  const turns = ends.map((_, at) => (at + from) % ends.length).filter((at) => !done.has(at));
  const isHeard = (): boolean => done.size > told.length;
  let reason = 'the worker stops';
  for (const at of turns) {
    const end = ends[at];
    if (end === undefined) continue;
    if (cancellationSignal.aborted) break;
    const heard = await receiver.send(endMessage(orderId, end), cancellationSignal);
    if (heard.heard) done.add(at);
    else reason = heard.reason;
    // The next try begins after the unanswered message, so that this one blocks no other.
    const now = isHeard() ? 0 : silent + 1;
    heartbeat({ told: [...done], from: at + 1, silent: now } satisfies Told);
    if (!heard.heard && !heard.isReached) break;
  }
  const left = ends.length - done.size;
  if (left === 0) return undefined;
  return {
    reason: `${left} of ${ends.length} not told yet: ${reason}.`,
    silent: isHeard() ? 0 : silent,
  };
}
