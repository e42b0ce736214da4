import { rateMin } from '../../orders/payout';
import { rateMax } from '../../orders/rate';
import { shown } from '../../orders/shown';
import { counted } from '../../orders/tally';
import { numberOf } from '../commands/payout';
import { connect } from '../connect';
import { tell } from '../control';
import { type ExitCode, InputError } from '../exit';
import type { Flags } from '../orderCommand';
import { placeOrder } from '../placeOrder';
import { reasonOf } from '../reason';
import { readDurationMs } from '../tellTime';
import { createVoice } from '../voice';

/** Attempts failed lines anew, and waits for what comes of it. */
export async function retry(id: string, lineIds: string[], flags: Flags): Promise<ExitCode> {
  const timeoutMs =
    flags.timeout === undefined ? undefined : readDurationMs('--timeout', String(flags.timeout));
  return placeOrder({
    id,
    start: (steadfast) => steadfast.retry(id, lineIds.length === 0 ? undefined : lineIds),
    isAwaited: flags.wait !== false,
    timeoutMs,
    voice: createVoice(flags.json === true),
  });
}

/** Has lines not be paid that wait to be sent. */
export async function skip(id: string, lineIds: string[], flags: Flags): Promise<ExitCode> {
  const reason = reasonOf(flags);
  const { steadfast } = await connect();
  return tell(id, flags, await steadfast.skip(id, lineIds, reason));
}

/** Sets how many lines a payout sends in a second. */
export async function rate(id: string, wanted: string, flags: Flags): Promise<ExitCode> {
  const linesPerS = readRate(wanted);
  const { steadfast } = await connect();
  await steadfast.rate(id, linesPerS);
  const pace =
    linesPerS === null
      ? 'as many lines as the service takes'
      : `at most ${counted(linesPerS, 'line')}`;
  return tell(id, flags, `${id} sends ${pace} in a second.`);
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
