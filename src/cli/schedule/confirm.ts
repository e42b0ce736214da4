import type { Agreement } from '../../client/schedules/signSchedule';
import { counted } from '../../orders/progress/doing';
import { ask, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { InputError } from '../exit';
import { tellPeriods } from './tellSchedule';

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
    if (isSomebodyThere(terminal)) return ask('Sign these periods?', terminal);
    if (isOwn) return true;
    throw new InputError(
      '--yes: is missing. Nobody is here to confirm these periods. Give --yes once you have read ' +
        'them, or give the schedule again with --kind, --file and its times.',
    );
  };
}
