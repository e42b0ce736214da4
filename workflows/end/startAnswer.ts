import { ParentClosePolicy, startChild, TemporalFailure } from '@temporalio/workflow';
import { answerIdOf } from '../../src/answers/answerId';
import type { End } from '../../src/answers/end';
import { counted } from '../../src/orders/progress/doing';
import type { answer } from '../answer';
import { holdTask, stopOf } from '../order/custody';
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
    countAnswer('lost');
    return stop.message;
  }
}
