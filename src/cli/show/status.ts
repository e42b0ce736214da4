import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { parkedAs } from '../order/follow';
import { codeOfReceipt } from './codeOfReceipt';
import { tellStatus } from './tellStatus';

/** Shows the status of an order. The exit code tells it to a script. */
export async function status(id: string, { voice, connect }: Call): Promise<ExitCode> {
  const { steadfast } = await connect();
  const standing = await steadfast.status(id);
  voice.answer(standing, tellStatus(standing, new Date()));
  if (standing.execution === 'COMPLETED') return codeOfReceipt(standing.receipt);
  if (standing.execution !== 'RUNNING') return exitCodes.failed;
  return parkedAs(standing) === undefined ? exitCodes.stoppedWaiting : exitCodes.needsOperator;
}
