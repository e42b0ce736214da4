import { ScheduleAlreadyRunning } from '@temporalio/client';
import { refuseTellingId } from '../../orders/input/orderId';
import { BadOrderError } from '../../orders/input/read';
import { orderOfPeriod, type PeriodStart, type ReadSchedule } from '../../orders/schedule/schedule';
import { withdraw } from '../signing/withdrawal';
import { overwrite } from './change';
import { scheduleOf, startOf } from './ownSchedule';
import { type ComingPeriod, type NamedSchedule, nextPeriods } from './parts';
import { refuseOtherTimes } from './sameTimes';
import { type Agreement, signedStart } from './signSchedule';
import { refuseOwnLimits, refuseStrict, refuseUnsound } from './soundPeriods';

const checking = 'Its periods are being checked.';
/** The check takes a second. After this time, the process that began it is gone. */
const checkingMaxMs = 60_000;
/** So many periods are told of a new schedule. */
const toldMax = 5;

/**
 * Creates a paused schedule, and unpauses it once Temporal names the times that this machine has
 * computed. Only these are signed, after they are agreed upon. Returns the first periods from then
 * on, or none if nothing was agreed upon. A time that passes during the creation starts nothing.
 */
export async function createSchedule(
  place: NamedSchedule,
  read: ReadSchedule,
  isAgreed?: Agreement,
): Promise<ComingPeriod[]> {
  if (place.isPrivate === true) refuseTellingId(place.id);
  const given = startOf(place, read);
  refuseUnsound(given);
  refuseStrict(given);
  const [first] = nextPeriods(given, 1);
  if (first !== undefined) refuseOwnLimits(given.kind, orderOfPeriod(given, first.period));
  await make(place, given, read);
  try {
    await refuseOtherTimes(place, given);
    // A period may have passed meanwhile, and is none of those that are counted.
    const start = startOf(place, read);
    const begun = await signedStart(place, start, isAgreed);
    if (begun === undefined) {
      await place.handle.delete();
      return [];
    }
    await begin(place, begun, read).catch(async (error: unknown) => {
      // Temporal may have the signature all the same.
      if (begun !== start) await (await withdraw(place, start.idsBegin))?.told();
      throw error;
    });
    return nextPeriods(start, toldMax);
  } catch (error) {
    // Somebody may have deleted it, which must not hide the reason.
    await place.handle.delete().catch(() => {});
    throw error;
  }
}

/**
 * Lets a schedule start its periods. One update writes all of it, signs and unpauses it. It
 * overwrites each change that somebody has made meanwhile.
 */
async function begin(place: NamedSchedule, start: PeriodStart, read: ReadSchedule): Promise<void> {
  const whole = await scheduleOf(place, start, read.catchUp);
  await overwrite(place, whole, { paused: false, note: 'Created.' });
}

async function make(place: NamedSchedule, start: PeriodStart, read: ReadSchedule): Promise<void> {
  const { client, scheduleId } = place;
  const whole = await scheduleOf(place, start, read.catchUp);
  const state = { paused: true, note: checking };
  const create = () => client.schedule.create({ scheduleId, ...whole, state });
  try {
    await create();
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) await clearUnfinished(place);
    else throw inWords(error);
    await create();
  }
}

/** Deletes a schedule whose creator was killed during the check. It has never started anything. */
async function clearUnfinished({ id, scheduleId, handle }: NamedSchedule): Promise<void> {
  const { state, info } = await handle.describe();
  const isUnfinished = state.paused && state.note === checking;
  const leftMs = info.createdAt.getTime() + checkingMaxMs;
  if (isUnfinished && Date.now() > leftMs) return handle.delete();
  if (isUnfinished) {
    throw new BadOrderError(
      `id: the schedule "${scheduleId}" is being created, since ${info.createdAt.toISOString()}. ` +
        `If its creator was killed, create it again after ${new Date(leftMs).toISOString()}.`,
    );
  }
  throw new BadOrderError(
    `id: the schedule "${scheduleId}" is there already. Look at it with "steadfast schedule ` +
      `describe ${id}", or delete it first.`,
  );
}

/** Turns a TypeError, with which Temporal's client refuses a schedule, into a BadOrderError. */
function inWords(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new BadOrderError(`The schedule cannot be created: ${error.message.replace(/\.$/, '')}.`);
}
