import {
  ParentClosePolicy,
  patched,
  sleep,
  startChild,
  TemporalFailure,
} from '@temporalio/workflow';
import { answerIdOf } from '../../src/client/answers/answerId';
import type { End } from '../../src/client/answers/end';
import { counted } from '../../src/orders/progress/doing';
import type { answer } from '../answer';
import { holdTask, stopOf } from '../order/activities';
import { countAnswer } from '../order/meter';

/** The name of the SDK's error, whose class no workflow can import. */
const alreadyStarted = 'WorkflowExecutionAlreadyStartedError';

/**
 * Has the receiver told of ends, by a workflow of its own that outlives this one. Nobody waits for
 * the receiver. Returns the reason if that workflow cannot be started.
 */
export async function startAnswer(
  orderId: string,
  ends: readonly End[],
): Promise<string | undefined> {
  const all = { orderId, ends: [...ends] };
  try {
    const seal = await holdTask(`seal ${counted(ends.length, 'end')}`).sealEnds(all);
    await startChild<typeof answer>('answer', {
      // The seal names what is told, and is in the history. A reset has another run id.
      workflowId: answerIdOf(orderId, seal.replace(/[^A-Za-z0-9]/g, '')),
      args: [{ ...all, seal }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    return undefined;
  } catch (error) {
    // The very same is being told.
    if (error instanceof TemporalFailure && error.name === alreadyStarted) return undefined;
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    return stop.message;
  }
}

/**
 * True if ends may be tried again after a fault. Orders of an earlier build lose them at once. A
 * run asks once, and keeps the answer.
 */
export function mayTryAgain(): boolean {
  return patched('answer-again');
}

/** Waits before further tries, such as for the next worker of a rolling change. */
const waitsMs = [5_000, 10_000, 15_000];

/** Has the receiver told again after a fault, a few times. Returns the reason if all was in vain. */
export async function tryAgain(
  orderId: string,
  ends: readonly End[],
  { fault: first, mayWait }: { fault: string; mayWait: boolean },
): Promise<string | undefined> {
  let fault: string | undefined = first;
  for (const waitMs of mayWait ? waitsMs : []) {
    await sleep(waitMs, { summary: 'tell the receiver again' });
    fault = await startAnswer(orderId, ends);
    if (fault === undefined) return undefined;
  }
  countAnswer('lost');
  return fault;
}
