import { setTimeout as sleep } from 'node:timers/promises';
import type { Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import { isEnd } from '../../orders/progress/status';
import type { Call } from '../call';
import { withKnownNames } from '../check/names';
import { type ExitCode, exitCodes } from '../exit';
import { parkedAs } from '../order/follow';
import { codeOfReceipt } from './codeOfReceipt';
import { tellStatus } from './tellStatus';

const lookEveryMs = 200;
const looksMax = 15;

/** An order that has done all is over in a moment, and its receipt is told with its end. */
async function ended(steadfast: Steadfast, id: string): Promise<OrderStatus> {
  for (let look = 1; ; look++) {
    const standing = await steadfast.status(id);
    const { execution, progress } = standing;
    const isEnding = execution === 'RUNNING' && progress !== undefined && isEnd(progress.status);
    if (!isEnding || look === looksMax) return standing;
    await sleep(lookEveryMs);
  }
}

/** Shows the status of an order. The exit code tells it to a script. */
export async function status(id: string, call: Call): Promise<ExitCode> {
  const { voice } = call;
  const { steadfast } = await call.connect();
  const standing = await ended(steadfast, id);
  voice.answer(standing, withKnownNames(tellStatus(standing, new Date()), call));
  if (standing.execution === 'COMPLETED') return codeOfReceipt(standing.receipt);
  if (standing.execution !== 'RUNNING') return exitCodes.failed;
  return parkedAs(standing) === undefined ? exitCodes.stoppedWaiting : exitCodes.needsOperator;
}
