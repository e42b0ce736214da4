import { shown } from '../../orders/input/shown';
import { rateMax, rateMin } from '../../orders/payout/rate';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { type ExitCode, InputError } from '../exit';
import { numberOf, readReason } from '../flags';
import { placeAgain, reportAct } from '../order/control';

/** Retries failed lines, and waits for the result. */
export function retryLines(id: string, lineIds: string[], call: Call): Promise<ExitCode> {
  const wanted = lineIds.length === 0 ? undefined : lineIds;
  return placeAgain(id, call, (steadfast) => steadfast.retry(id, wanted));
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
