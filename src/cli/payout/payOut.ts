import { createInterface } from 'node:readline';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { placeOrder } from '../order/placeOrder';
import type { Terminal } from '../show/voice';
import { payersOf } from '../show/wallet';
import { handOver } from './handOver';
import type { TakenPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** Shows the totals of a payout, asks for a yes, hands it over and waits for its end. */
export async function payOut(taken: TakenPayout, call: Call): Promise<ExitCode> {
  const { id, order, surveyed, isDry, isAwaited, timeoutMs } = taken;
  const { voice, terminal } = call;
  const payers = await payersOf(order.wallets, terminal);
  for (const line of tellSurvey(id, payers, surveyed)) voice.note(line);
  if (isDry) {
    const { lines, totals, alike } = surveyed;
    voice.document({ id, dryRun: true, lines, totals, alike });
    voice.note('Dry run: nothing was handed over.');
    return exitCodes.done;
  }
  if (!taken.isAgreed && isSomebodyThere(terminal) && !(await ask('Pay this?', terminal))) {
    voice.document({ id, end: 'notStarted' });
    voice.note('Nothing was handed over.');
    return exitCodes.failed;
  }
  return placeOrder({ id, isAwaited, timeoutMs, payers, ...handOver(taken, voice) }, call);
}

/** Asks a question for yes or no. Leaving means no. */
function ask(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise((resolve) => {
    const leave = (): void => {
      stderr.write('\n');
      resolve(false);
    };
    lines.once('close', leave);
    lines.question(`${question} [y/N] `, (answer) => {
      lines.off('close', leave).close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    });
  });
}

function isSomebodyThere({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}
