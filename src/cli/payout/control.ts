import type { Finding } from '../../checks/check';
import { linePayment, type Payment } from '../../checks/payment';
import { namedIdOf } from '../../orders/input/orderId';
import { shown } from '../../orders/input/shown';
import { rateMax, rateMin } from '../../orders/payout/rate';
import { counted } from '../../orders/progress/doing';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { bookIn, checkOrder } from '../check/checkOrder';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { awaitingIn, numberOf, readReason } from '../flags';
import { placeAgain, reportAct } from '../order/control';
import { placeOrder } from '../order/placeOrder';

/**
 * Retries failed lines, and waits for the result. A line that was not paid is no proof that nobody
 * has paid its payee in another order since. A person on a terminal is asked about such a payment.
 */
export async function retryLines(id: string, lineIds: string[], call: Call): Promise<ExitCode> {
  const wanted = lineIds.length === 0 ? undefined : lineIds;
  // Bad input is refused before anything is asked.
  const awaiting = awaitingIn(call.flags);
  const like = await paidElsewhere(id, wanted, call);
  for (const { lineId, words } of like) call.voice.note(`! line ${lineId} ${words}`);
  const isAsked = like.length > 0 && isSomebodyThere(call.terminal);
  if (isAsked && !(await askYesNo('Send these lines again all the same?', call.terminal))) {
    reportAct(id, call, 'Nothing was sent.');
    return exitCodes.failed;
  }
  return placeOrder({ id, start: (steadfast) => steadfast.retry(id, wanted), ...awaiting }, call);
}

/** The payments of other orders that are like failed lines, each as a finding. */
async function paidElsewhere(
  id: string,
  wanted: readonly string[] | undefined,
  call: Call,
): Promise<Finding[]> {
  const { steadfast, config } = await call.connect();
  const payments: Payment[] = [];
  for await (const line of steadfast.payoutLines(id)) {
    const isWanted = wanted?.includes(line.lineId) ?? true;
    if (isWanted && line.outcome === 'failed') payments.push(linePayment(line));
  }
  if (payments.length === 0) return [];
  const orderId = namedIdOf(id, config.keyScope);
  const { findings } = await checkOrder({ orderId, payments }, bookIn(call.terminal.env), call);
  return findings.filter(({ check }) => check === 'paidBefore');
}

/** Pays what a cancellation has left, and waits for the result. */
export function goOn(id: string, call: Call): Promise<ExitCode> {
  return placeAgain(id, call, (steadfast) => steadfast.continue(id));
}

/** Skips lines that are not sent yet, and gives up unknown ones. */
export async function skip(id: string, lineIds: string[], call: Call): Promise<ExitCode> {
  const reason = readReason(call.flags);
  const { steadfast } = await call.connect();
  return reportAct(id, call, await steadfast.skip(id, lineIds, reason));
}

/** Sets how many lines a payout sends in a second. */
export async function setPayoutRate(id: string, wanted: string, call: Call): Promise<ExitCode> {
  const linesPerS = readRate(wanted);
  const { steadfast } = await call.connect();
  await steadfast.rate(id, linesPerS);
  const pace =
    linesPerS === null
      ? 'as many lines as the service takes'
      : `at most ${counted(linesPerS, 'line')}`;
  return reportAct(id, call, `${id} sends ${pace} in a second.`);
}

function readRate(wanted: string): number | null {
  if (wanted === 'off') return null;
  const linesPerS = numberOf(wanted);
  if (typeof linesPerS === 'number' && linesPerS >= rateMin && linesPerS <= rateMax) {
    return linesPerS;
  }
  throw new InputError(
    `rate: ${shown(wanted)} must be lines in a second, from ${rateMin} to ${rateMax}, or off.`,
  );
}
