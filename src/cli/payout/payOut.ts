import { ask, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { placeOrder } from '../order/placeOrder';
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
