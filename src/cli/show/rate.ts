import type { RateChange, Rates } from '../../client/rates';
import type { Rate } from '../../client/temporal/queueRate';
import { shown } from '../../orders/input/shown';
import { isRate, rateMax } from '../../orders/payout/rate';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import type { Flags } from '../flags';

/** Shows the calls per second of all workers together. With flags it sets them first. */
export async function rate({ flags, voice, connect }: Call): Promise<ExitCode> {
  const change: RateChange = {
    ...(flags.writes === undefined ? {} : { writes: readRate('--writes', flags.writes) }),
    ...(flags.reads === undefined ? {} : { reads: readRate('--reads', flags.reads) }),
  };
  const isChanged = Object.keys(change).length > 0;
  const { steadfast } = await connect();
  const rates = isChanged ? await steadfast.changeRates(change) : await steadfast.rates();
  voice.answer(rates, tellRates(rates));
  return exitCodes.done;
}

/** Both limits, a line each. */
function tellRates({ writes, reads }: Rates): string[] {
  return [`writes  ${tellRate(writes)}`, `reads   ${tellRate(reads)}`];
}

function tellRate({ perSecond, setBy }: Rate): string {
  if (perSecond === undefined) return 'without limit';
  return `${perSecond} a second, ${setBy === 'workers' ? 'as workers are started' : 'as set here'}`;
}

function readRate(flag: string, text: Flags[string]): number | 'off' | 'default' {
  if (text === 'off' || text === 'default') return text;
  const number = /^\d{1,5}(\.\d{1,3})?$/.test(String(text)) ? Number(text) : 0;
  if (isRate(number)) return number;
  throw new InputError(
    `${flag}: ${shown(text)} must be a number from above 0 to ${rateMax}, off (no limit) or default ` +
      '(as workers are started). To hold orders back altogether, pause them.',
  );
}
