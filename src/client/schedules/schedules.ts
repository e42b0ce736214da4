import type { StartedPeriod } from '../../../workflows/startPeriod';
import { periodStart, readSchedule, type Schedule } from '../../orders/schedule/schedule';
import type { SteadfastOptions } from '../options';
import { createSchedule } from './creation';
import { type DescribedSchedule, describeSchedule } from './description';
import { readNote, writeNote } from './note';
import { asked, type ComingPeriod, named, periodsOf } from './parts';
import { backfillPeriods, type Days, triggerPeriod } from './periods';

/** A schedule in a list. */
export type ListedSchedule = {
  id: string;
  kind: string;
  when: string;
  /** Why it starts nothing, while it does not. */
  paused?: string;
  next?: ComingPeriod;
};

/**
 * Orders that are started again and again: one for each period, whatever may start it twice. Each
 * method throws a BadOrderError where it is asked for what cannot be.
 */
export type Schedules = {
  /**
   * Creates a schedule, and returns its first periods. It is refused when two of its next 400
   * times would be one period, since the second would not be paid.
   */
  create(id: string, given: Schedule): Promise<ComingPeriod[]>;
  /** All of them, as Temporal's visibility shows them: a second or so behind. */
  list(): Promise<ListedSchedule[]>;
  /**
   * Shows a schedule: its order and times, its next periods, and the orders of its last periods.
   */
  describe(id: string): Promise<DescribedSchedule>;
  /** Starts nothing more until it is resumed. What passes meanwhile is started by a backfill. */
  pause(id: string, reason: string): Promise<void>;
  resume(id: string): Promise<void>;
  /** Starts the order of one period of the schedule, or attaches to it. */
  trigger(id: string, period: string): Promise<StartedPeriod>;
  /** Starts every period between two days that was not started before. Both days count. */
  backfill(id: string, days: Days): Promise<ComingPeriod[]>;
  /** Deletes the schedule. Its orders under way continue. */
  remove(id: string): Promise<void>;
};

/** Creates the schedules' part of the client, for backends and the command line. */
export function createSchedules(options: SteadfastOptions): Schedules {
  const at = (id: string) => named(options, id);
  return {
    create: async (id, given) => createSchedule(at(id), readSchedule(id, given)),
    list: () => listSchedules(options),
    describe: async (id) => {
      const place = at(id);
      return describeSchedule(place, await asked(place, () => place.handle.describe()));
    },
    pause: async (id, reason) => {
      const { handle, client } = at(id);
      const note = await writeNote(client, reason);
      await asked(at(id), () => handle.pause(note));
    },
    resume: async (id) => asked(at(id), () => at(id).handle.unpause('Resumed.')),
    trigger: async (id, period) => triggerPeriod(at(id), period),
    backfill: async (id, days) => backfillPeriods(at(id), days),
    remove: async (id) => asked(at(id), () => at(id).handle.delete()),
  };
}

/** The memo of a schedule. A list reads it, and need not describe each schedule. */
const memo = periodStart.pick({ kind: true, when: true, template: true, timeZone: true });

async function listSchedules(options: SteadfastOptions): Promise<ListedSchedule[]> {
  const { client, keyScope = '' } = options;
  const scope = keyScope === '' ? '' : `${keyScope}:`;
  const listed: ListedSchedule[] = [];
  for await (const { scheduleId, action, memo: kept, state, info } of client.schedule.list()) {
    const told = memo.safeParse(kept?.steadfast);
    const isOurs = action?.workflowType === 'startPeriod' && scheduleId.startsWith(scope);
    if (!isOurs || !told.success) continue;
    const { kind, when } = told.data;
    const [next] = state.paused ? [] : periodsOf(told.data, info.nextActionTimes);
    listed.push({
      id: scheduleId.slice(scope.length),
      kind,
      when,
      ...(state.paused ? { paused: await readNote(client, state.note) } : {}),
      ...(next === undefined ? {} : { next }),
    });
  }
  return listed.sort((one, other) => (one.id < other.id ? -1 : 1));
}
