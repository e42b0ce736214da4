import { resendAnswers, untoldAnswers } from '../../client/answers';
import { resolveShortName } from '../../client/find/shortName';
import { namedIdOf, readOrderId } from '../../orders/input/orderId';
import { counted } from '../../orders/progress/doing';
import { timeInWords } from '../../orders/progress/status';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { inColumns } from '../show/columns';

/** Ends of which no message was begun are known by another source. */
const noneWaits = [
  'Temporal knows no message to the receiver that waits or was given up.',
  'Ends that a worker without a receiver has lost are counted by ' +
    'steadfast_answers_total{outcome="lost"}. To find why: npx --no-install steadfast doctor',
];

/** Prints the messages that the receiver was not told. Exits with 3 if one was given up. */
export async function list({ connect, voice }: Call): Promise<ExitCode> {
  const { client } = await connect();
  const answers = await untoldAnswers(client);
  const rows = inColumns(
    answers.map(({ state, orderId, startedAt }) => [state, orderId, timeInWords(startedAt)]),
  );
  const lines = rows.map((row) => row.join('  '));
  voice.answer({ answers }, lines.length === 0 ? noneWaits : lines);
  const isLost = answers.some(({ state }) => state === 'given up');
  return isLost ? exitCodes.needsOperator : exitCodes.done;
}

/** Sends the messages about an order again. */
export async function resend(text: string, { connect, voice }: Call): Promise<ExitCode> {
  readOrderId(text);
  const { client, config } = await connect();
  const { keyScope: scope } = config;
  const orderId = await resolveShortName(client, namedIdOf(text, scope), scope);
  const answers = await resendAnswers(client, orderId);
  if (answers.length === 0) {
    throw new InputError(
      `id: Temporal knows no message about ${orderId}. It may have ended without a receiver, or ` +
        'longer ago than Temporal keeps closed workflows.',
    );
  }
  const waiting = answers.filter(({ state }) => state === 'waiting').length;
  const again = answers.length - waiting;
  const onTheWay = waiting === 0 ? '' : ` ${waiting} are still on their way.`;
  const words = `Sent again: ${counted(again, 'group')} of ends of ${orderId}.${onTheWay}`;
  voice.answer({ orderId, again, waiting }, [words]);
  return exitCodes.done;
}
