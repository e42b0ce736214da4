import { codeOfReceipt } from './codeOfReceipt';
import { connect } from './connect';
import { type ExitCode, exitCodes } from './exit';
import { parkedAs } from './follow';
import { tellStatus } from './tellStatus';
import { createVoice } from './voice';

/** Tells where an order stands; the exit code says the same to a script. */
export async function showStatus(id: string, isJson: boolean): Promise<ExitCode> {
  const voice = createVoice(isJson);
  const { steadfast } = await connect();
  const status = await steadfast.status(id);
  voice.document(status);
  if (!isJson) for (const line of tellStatus(status, new Date())) voice.say(line);
  if (status.execution === 'COMPLETED') return codeOfReceipt(status.receipt);
  if (status.execution !== 'RUNNING') return exitCodes.failed;
  return parkedAs(status) === undefined ? exitCodes.stoppedWaiting : exitCodes.needsOperator;
}
