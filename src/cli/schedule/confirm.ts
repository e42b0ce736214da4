import type { ComingPeriod } from '../../client/schedules/parts';
import type { Agreement } from '../../client/schedules/signSchedule';
import { counted } from '../../orders/progress/doing';
import type { Sum } from '../../orders/schedule/sumOf';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { InputError } from '../exit';
import { tellPeriods, tellSpan } from './tellSchedule';

type Asking = {
  id: string;
  call: Call;
  timeZone: string | undefined;
  /** The schedule was given with this command, so that nothing of it is only shown by Temporal. */
  isOwn: boolean;
};

/**
 * Shows periods before they are signed, and asks at a terminal. Without one, `--yes` or the
 * schedule itself must confirm them. Throws an InputError otherwise.
 */
export function confirming({ id, call, timeZone, isOwn }: Asking): Agreement {
  return async (coming, { order, when }) => {
    const { flags, voice, terminal } = call;
    const [first, last] = [coming[0]?.period, coming.at(-1)?.period];
    voice.note(`To sign: ${counted(coming.length, 'period')} of ${id}, ${first} to ${last}.`);
    voice.note(`Order: ${order}. When: ${when}.`);
    for (const line of tellPeriods(coming, timeZone)) voice.note(line);
    if (flags.yes === true) return true;
    if (isSomebodyThere(terminal)) return askYesNo('Sign these periods?', terminal);
    if (isOwn) return true;
    throw new InputError(
      '--yes: is missing. Nobody is here to confirm these periods. Give --yes once you have read ' +
        'them, or give the schedule again with --kind, --file and its times.',
    );
  };
}

/** Shows the periods of a backfill and their sum, and asks at a terminal, unless `--yes` is given. */
export async function isBackfillWanted(
  { id, call, sum }: { id: string; call: Call; sum: Sum },
  periods: readonly ComingPeriod[],
): Promise<boolean> {
  const { flags, voice, terminal } = call;
  voice.note(`To start: ${tellSpan(periods, ` of ${id}`)}.`);
  voice.note(tellSum(sum));
  if (flags.yes === true || !isSomebodyThere(terminal)) return true;
  return askYesNo('Start these periods?', terminal);
}

function tellSum(sum: Sum): string {
  if (sum === undefined) return 'Their sum is known only once their orders have run.';
  const amounts = Object.entries(sum).map(([token, amount]) => `${amount} ${token}`);
  if (amounts.length === 0) return 'They move no money, but for fees.';
  const before = 'Periods that were started before are in it, and are not paid again.';
  return `Their sum: ${amounts.join(', ')}, without fees. ${before}`;
}
