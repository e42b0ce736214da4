import { sameText } from '../../custody/objects/sameMoney';
import type { Wallet } from '../../custody/objects/wallet';
import { shown } from '../../orders/input/shown';
import { walletOfLine } from '../../orders/payout/walletOfLine';
import { ask, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { placeOrder } from '../order/placeOrder';
import { payersOf, tellPayers } from '../show/wallet';
import { handOver } from './handOver';
import type { TakenPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** Shows the totals of a payout, asks for a yes, hands it over and waits for its end. */
export async function payOut(taken: TakenPayout, call: Call): Promise<ExitCode> {
  const { id, order, surveyed, isDry, isAwaited, timeoutMs } = taken;
  const { voice, terminal } = call;
  const wallets = await payersOf(order.wallets, terminal);
  const payers = tellPayers(order.wallets, wallets);
  for (const line of tellSurvey(id, payers, surveyed)) voice.note(line);
  if (isDry) {
    await refuseOwnWallets(taken, wallets);
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

/** Refuses lines that pay the wallet that pays them, as the hand-over would. */
async function refuseOwnWallets(
  { order, lines }: TakenPayout,
  wallets: readonly Wallet[],
): Promise<void> {
  if (wallets.length === 0) return;
  for await (const { lineId, to } of lines?.() ?? order.lines ?? []) {
    const payer = wallets[walletOfLine(lineId, order.wallets.length)];
    if (!sameText(payer?.address, to)) continue;
    throw new InputError(
      `FILE: line ${shown(lineId)} pays ${to}, the sending wallet itself. Give the recipient's address.`,
    );
  }
}
