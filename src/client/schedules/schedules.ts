import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { scheduleIdIn } from '../../orders/input/orderId';
import { whenOf } from '../../orders/schedule/rhythm';
import { readSchedule, type Schedule } from '../../orders/schedule/schedule';
import type { SteadfastOptions } from '../options';
import { serviceErrorOf } from '../temporal/inSentences';
import type { StartedPeriod } from '../temporal/startOnce';
import { type BackfillQuestion, backfillPeriods, type Days } from './backfill';
import { pauseOrResume } from './change';
import { createSchedule } from './creation';
import { type DescribedSchedule, describeSchedule } from './description';
import { type HolidaySpan, holidaySpan } from './holidays';
import { readNote, writeNote } from './note';
import { giveOverride, type Instead, type Overridden, restorePeriod } from './overrides/override';
import { overridesOf } from './overrides/overrides';
import { askSchedule, type ComingPeriod, named, periodsOf, startIn } from './parts';
import { type Triggering, triggerPeriod } from './periods';
import { type Removed, removeSchedule } from './removal';
import {
  type Agreement,
  type Confirmation,
  type SignedSpan,
  signComing,
  signedSpan,
} from './signSchedule';

/** A schedule in a list. */
export type ListedSchedule = {
  id: string;
  kind: string;
  when: string;
  /** Why it starts nothing, while it does not. */
  paused?: string;
  next?: ComingPeriod;
  /** Until when it is signed, if it is. */
  signed?: SignedSpan;
  holidays?: HolidaySpan;
  /** Periods that have another order, or none, and have not started. */
  overrides?: string[];
  /** Why it cannot be read here, such as for lack of a key. It holds up no other schedule. */
  unread?: string;
};

/**
 * Orders that are started again and again. Each period has one order, even if it is started twice.
 * Each method throws a BadOrderError where it is asked for what cannot be.
 */
export type Schedules = {
  /**
   * Creates a schedule, and returns its first periods. It is refused when two of its next 400
   * times would be one period, since the second would not be paid. So it is when clocks that are
   * put back within two years make one period of two times. It is refused, too, when its times
   * leave out a period that `leavesOut` does not name. And Temporal must
   * name the times that this machine computes. A client that signs asks `isAgreed` first, if
   * it is given, about the periods that it signs. If that says no, nothing is created and none are
   * returned.
   */
  create(id: string, given: Schedule, isAgreed?: Agreement): Promise<ComingPeriod[]>;
  /** All of them, as Temporal's visibility shows them: a second or so behind. */
  list(): Promise<ListedSchedule[]>;
  /**
   * Shows a schedule: its order and times, its next periods, and the orders of its last periods.
   */
  describe(id: string): Promise<DescribedSchedule>;
  /**
   * Starts nothing more until it is resumed, except what is triggered. What passes meanwhile is
   * started by a backfill after that.
   */
  pause(id: string, reason: string): Promise<void>;
  /** Starts the order of each period again. What the pause has left out needs a backfill. */
  resume(id: string): Promise<void>;
  /**
   * Signs its next hundred periods, with the key that the client signs orders with, and returns
   * them. A policy that wants signatures lets no other period out. Temporal may show a changed
   * schedule, so give the schedule again, or a function that shows the periods to a person. Without
   * the schedule, only what the same key has signed before is signed. Returns none, and signs
   * nothing, if the person says no.
   */
  sign(id: string, confirmed: Confirmation): Promise<ComingPeriod[]>;
  /**
   * Starts the order of one period of the schedule, or attaches to it. Refused where it lies before
   * the schedule was created, unless `beforeCreation` is set. A daily close may lie there.
   */
  trigger(id: string, period: string, triggering?: Triggering): Promise<StartedPeriod>;
  /**
   * Starts every period between two days that has come and was not started before. Both days count.
   * Refused where one lies before the schedule was created, unless `beforeCreation` is set. Asks
   * `isWanted` first, if it is given, about these periods and their sum. Returns none if that says
   * no.
   */
  backfill(id: string, days: Days, isWanted?: BackfillQuestion): Promise<ComingPeriod[]>;
  /**
   * Has one period do something else, once: another order, the usual one with other fields, or
   * nothing. Its order keeps its id, so the period never pays twice. Until it starts, you may give
   * it again, or restore the period. A period that has begun is refused. Where the schedule is
   * signed, it needs the same key. Then the schedule's own signature pays this period no more. The
   * fields that are not given are what Temporal shows. So a client that signs asks `isAgreed`
   * first, if given.
   */
  override(id: string, period: string, instead: Instead, isAgreed?: Agreement): Promise<Overridden>;
  /**
   * Restores the usual order of a period. Returns the fate of the signature, and the command that
   * starts a period that has passed. Where the schedule is signed, the usual order is signed by
   * itself, and stands as the override. A client that signs asks `isAgreed` first, if given.
   */
  restore(id: string, period: string, isAgreed?: Agreement): Promise<string>;
  /**
   * Deletes the schedule. What it has sent goes on. A client with a signing key also withdraws its
   * request, so nothing else is sent. Without a key, pending orders continue. Returns the fate of
   * the signature.
   */
  remove(id: string): Promise<Removed>;
};

/** Creates the schedules' part of the client, for backends and the command line. */
export function createSchedules(options: SteadfastOptions): Schedules {
  const at = (id: string) => named(options, id);
  return {
    create: async (id, given, isAgreed) =>
      createSchedule(at(id), readSchedule(id, given), isAgreed),
    list: () => listSchedules(options),
    describe: async (id) => {
      const place = at(id);
      return describeSchedule(place, await askSchedule(place, () => place.handle.describe()));
    },
    pause: async (id, reason) => {
      const note = await writeNote(options.client, reason);
      await pauseOrResume(at(id), { paused: true, note });
    },
    resume: async (id) => pauseOrResume(at(id), { paused: false, note: 'Resumed.' }),
    sign: async (id, confirmed) => signComing(at(id), confirmed),
    trigger: async (id, period, allowed) => triggerPeriod(at(id), period, allowed),
    backfill: async (id, days, isWanted) => backfillPeriods(at(id), days, isWanted),
    override: async (id, period, ...[instead, isAgreed]) =>
      giveOverride(at(id), period, { instead, isAgreed }),
    restore: async (id, period, isAgreed) => restorePeriod(at(id), period, isAgreed),
    remove: async (id) => removeSchedule(at(id)),
  };
}

async function listSchedules({
  client,
  keyScope = '',
}: SteadfastOptions): Promise<ListedSchedule[]> {
  const listed: ListedSchedule[] = [];
  for await (const { scheduleId, action } of client.schedule.list()) {
    const id = scheduleIdIn(scheduleId, keyScope);
    if (action?.workflowType !== 'startPeriod' || id === undefined) continue;
    const told = await describedIfThere(client, scheduleId);
    if (told === undefined) continue;
    if ('unread' in told) {
      listed.push({ id, kind: '', when: '', ...told });
      continue;
    }
    const start = startIn(told);
    const { state, info } = told;
    const [next] = state.paused ? [] : periodsOf(start, info.nextActionTimes);
    const signed = signedSpan(told);
    const holidays = holidaySpan(start);
    const overrides = await overridesOf({ client }, start);
    listed.push({
      id,
      kind: start.kind,
      when: whenOf(start),
      ...(state.paused ? { paused: await readNote(client, state.note) } : {}),
      ...(next === undefined ? {} : { next }),
      ...(signed === undefined ? {} : { signed }),
      ...(holidays === undefined ? {} : { holidays }),
      ...(overrides.length === 0 ? {} : { overrides: overrides.map(({ period }) => period) }),
    });
  }
  return listed.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A list is a second behind, so a schedule in it may have been deleted. */
async function describedIfThere({ schedule }: Client, scheduleId: string) {
  try {
    return await schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    // Temporal has answered, and what it has cannot be decoded here.
    if (error instanceof Error && serviceErrorOf(error) === undefined)
      return { unread: error.message };
    throw error;
  }
}
