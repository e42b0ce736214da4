import { linesDigest } from '../../checks/digest';
import { BadOrderError, OrderError, type Steadfast } from '../../client/client';
import { sameText } from '../../custody/objects/sameText';
import type { Wallet } from '../../custody/objects/wallet';
import { shown } from '../../orders/input/shown';
import { walletOfLine } from '../../orders/payout/walletOfLine';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { payCommand } from '../commands/payout';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { payersOf, tellPayers } from '../find/wallet';
import { commandAgain } from '../order/commandAgain';
import { placeOrder } from '../order/placeOrder';
import { reportNo } from '../order/reportAct';
import { standingOf } from '../order/standing';
import { byFlags } from '../order/takeOrder';
import { handOverPayout } from './handOver';
import type { TakenPayout } from './takePayout';
import { tellSurvey } from './tellPayout';

/** Shows the totals of a payout, asks for a yes, hands it over and waits for its end. */
export async function payOut(taken: TakenPayout, call: Call): Promise<ExitCode> {
  const { id, order, surveyed, checked, isDry, isAwaited, timeoutMs } = taken;
  const { voice, terminal } = call;
  const wallets = await byFlagsOf(call, () => payersOf(order.wallets, terminal));
  const payers = tellPayers(order.wallets, wallets);
  for (const line of tellSurvey(id, payers, taken)) voice.note(line);
  if (isDry) {
    await refuseOwnWallets(taken, wallets);
    const { lines, totals, exchanges, payments } = surveyed;
    const digest = linesDigest(payments);
    const told = exchanges.length === 0 ? { totals } : { totals, exchanges };
    voice.document({ id, dryRun: true, lines, ...told, digest, checks: checked });
    voice.note('Dry run: nothing was handed over.');
    return exitCodes.done;
  }
  if (!taken.isAgreed && !(await isWanted(taken, call))) {
    return reportNo(id, call, 'Nothing was handed over.');
  }
  const { start, left } = handOverPayout(taken, voice);
  const again = commandAgain(call, id);
  const begin = (steadfast: Steadfast) => byFlagsOf(call, () => start(steadfast));
  return placeOrder({ id, isAwaited, timeoutMs, payers, again, start: begin, left }, call);
}

/** Has a wrong wallet named by its flag, whoever finds it. */
async function byFlagsOf<T>({ flags }: Call, does: () => Promise<T>): Promise<T> {
  try {
    return await does();
  } catch (error) {
    const isWallet = error instanceof Error && /^wallets\.\d/.test(error.message);
    if (!isWallet || (error instanceof OrderError && error.outcome !== 'refused')) throw error;
    return byFlags(payCommand, flags, () => {
      throw new BadOrderError(error.message);
    });
  }
}

const startedBefore =
  'Exactly this file was handed over before, from these wallets. Each line is paid once, so that ' +
  'this goes on with that payout. To pay them a second time, say so with an --id of your own.';

const payOnce =
  'Pay this once? (Only exactly this file goes on with this payout. A changed file is another ' +
  'payout and pays all of its lines: put new lines into a file of their own.)';

const unsealed =
  'Exactly this file was handed over before, from these wallets, and nothing of it is paid yet.';
const handedOver =
  'Exactly this file was handed over before, from these wallets. Each line is paid once.';

/** Asks a person on a terminal. A sealed payout that goes on pays nothing more, and needs no yes. */
async function isWanted({ id, isNamedByLines }: TakenPayout, call: Call): Promise<boolean> {
  const { terminal, voice } = call;
  if (!isSomebodyThere(terminal)) return true;
  if (!isNamedByLines) return askYesNo('Pay this?', terminal);
  const { steadfast } = await call.connect();
  const standing = await standingOf(steadfast, id);
  if (standing === undefined) return askYesNo(payOnce, terminal);
  const { execution, progress, paidBefore } = standing;
  const { sealed, mayHavePaid } = progress?.payout ?? {};
  const isSealed = execution === 'RUNNING' && sealed === true;
  if (isSealed || execution === 'COMPLETED') {
    voice.note(startedBefore);
    return true;
  }
  const isUnpaid = sealed === false && mayHavePaid !== true && paidBefore === undefined;
  voice.note(isUnpaid ? unsealed : handedOver);
  return askYesNo(payOnce, terminal);
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
