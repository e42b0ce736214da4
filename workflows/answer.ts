import {
  ApplicationFailure,
  isCancellation,
  rootCause,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { SealedEnds } from '../src/client/answers/end';
import { counted } from '../src/orders/progress/doing';
import { tells } from './order/activities';
import { countAnswer } from './order/meter';

/**
 * Tells the receiver some ends of an order, each at least once. It moves nothing, and no order
 * waits for it. Temporal repeats its one activity, for days if need be.
 */
export async function answer(ends: SealedEnds): Promise<{ told: number }> {
  // A stranger may have started it with anything. The activity refuses that.
  const { orderId = '', ends: list = [] }: Partial<SealedEnds> = ends ?? {};
  const many = counted(list.length, 'end');
  setCurrentDetails(`Tells the receiver ${many} of ${orderId}. Nothing waits for it.`);
  try {
    const told = await tells(`tell ${many} of ${orderId}`).tellReceiver(ends);
    countAnswer('told');
    return told;
  } catch (error) {
    if (isCancellation(error)) throw error;
    countAnswer('givenUp');
    const again = `Send it again: npx --no-install steadfast answers resend ${orderId}`;
    throw ApplicationFailure.nonRetryable(`Given up. ${rootCause(error)} ${again}`, 'Untold');
  }
}
