import { type CheckedPayment, linePayment } from '../../checks/payment';
import { shown } from '../../orders/input/shown';
import type { LineResult } from '../../orders/payout';
import { rateMax, rateMin } from '../../orders/payout/rate';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { isSentAllTheSame } from '../check/paidElsewhere';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { awaitingIn, numberOf, readReason } from '../flags';
import { placeOrder } from '../order/placeOrder';
import { reportAct } from '../order/reportAct';

/** Retries failed lines, and waits for the result. */
export async function retryLines(id: string, lineIds: string[], call: Call): Promise<ExitCode> {
  const wanted = lineIds.length === 0 ? undefined : lineIds;
  // Bad input is refused before anything is asked.
  const awaiting = awaitingIn(call.flags);
  const isAgain = ({ lineId, outcome }: LineResult): boolean =>
    outcome === 'failed' && (wanted?.includes(lineId) ?? true);
  const payments = await paymentsOf(id, isAgain, call);
  if (!(await isSentAllTheSame({ id, payments }, call))) return exitCodes.failed;
  return placeOrder({ id, start: (steadfast) => steadfast.retry(id, wanted), ...awaiting }, call);
}

/** The payments of the lines of a payout that are to be sent. */
async function paymentsOf(
  id: string,
  isWanted: (line: LineResult) => boolean,
  call: Call,
): Promise<CheckedPayment[]> {
  const { steadfast } = await call.connect();
  const payments: CheckedPayment[] = [];
  for await (const line of steadfast.payoutLines(id)) {
    if (isWanted(line)) payments.push(linePayment(line));
  }
  return payments;
}

/** Pays what a cancellation has left, and waits for the result. */
export async function goOn(id: string, call: Call): Promise<ExitCode> {
  const awaiting = awaitingIn(call.flags);
  const { steadfast } = await call.connect();
  const { kind, execution } = await steadfast.status(id);
  // Any other order is refused, and has nothing to ask about.
  const isOver = kind === 'payout' && execution !== 'RUNNING';
  const payments = isOver ? await paymentsOf(id, isLeft, call) : [];
  if (!(await isSentAllTheSame({ id, payments }, call))) return exitCodes.failed;
  return placeOrder({ id, start: (client) => client.continue(id), ...awaiting }, call);
}

/** The payments that a paused payout sends once it goes on. None for any other order. */
export async function heldPayments(id: string, call: Call): Promise<CheckedPayment[]> {
  const { steadfast } = await call.connect();
  const { kind, progress } = await steadfast.status(id);
  const isHeld = kind === 'payout' && progress?.paused !== undefined;
  return isHeld ? paymentsOf(id, ({ outcome }) => outcome === 'waiting', call) : [];
}

/** True for a line that a continuation pays. Lines that a person has skipped alone stay so. */
function isLeft({ outcome, isSkippedAlone }: LineResult): boolean {
  return outcome === 'waiting' || (outcome === 'skipped' && isSkippedAlone !== true);
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
