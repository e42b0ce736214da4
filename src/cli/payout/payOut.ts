import { type ExitCode, exitCodes } from '../exit';
import { placeOrder } from '../placeOrder';
import { ask, isSomebodyThere } from './ask';
import { handOver } from './handOver';
import type { TakenPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** Tells what a payout comes to, asks whether that is right, hands it over and waits for its end. */
export async function payOut(taken: TakenPayout): Promise<ExitCode> {
  const { id, order, surveyed, voice, isDry, isAwaited, timeoutMs } = taken;
  for (const line of tellSurvey(id, order.wallets.length, surveyed)) voice.note(line);
  if (isDry) {
    const { lines, totals, alike } = surveyed;
    voice.document({ id, dryRun: true, lines, totals, alike });
    voice.note('Dry run: nothing was handed over.');
    return exitCodes.done;
  }
  if (!taken.isAgreed && isSomebodyThere() && !(await ask('Pay this?'))) {
    voice.document({ id, end: 'notStarted' });
    voice.note('Nothing was handed over.');
    return exitCodes.failed;
  }
  return placeOrder({ id, isAwaited, timeoutMs, voice, ...handOver(taken) });
}
