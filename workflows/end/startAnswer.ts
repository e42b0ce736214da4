import { ParentClosePolicy, startChild, uuid4 } from '@temporalio/workflow';
import { answerIdOf } from '../../src/answers/answerId';
import type { End } from '../../src/answers/end';
import { counted } from '../../src/orders/progress/doing';
import type { answer } from '../answer';
import { holdTask, stopOf } from '../order/custody';

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
      // A run's id differs after a reset, and this id must not: its start is in the history.
      workflowId: answerIdOf(orderId, uuid4()),
      args: [{ ...all, seal }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    return undefined;
  } catch (error) {
    const stop = stopOf(error);
    if (stop !== undefined) return stop.message;
    throw error;
  }
}
