import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduleDescription } from '@temporalio/client';
import type { scheduleOf } from './ownSchedule';
import { askSchedule, type NamedSchedule } from './parts';

type State = Partial<Pick<ScheduleDescription['state'], 'paused' | 'note'>>;

const waitMs = 100;
const triesMax = 100;

/** Pauses a schedule, or resumes it. The note says why. Returns once Temporal shows it. */
export async function pauseOrResume(
  place: NamedSchedule,
  { paused, note }: { paused: boolean; note: string },
): Promise<void> {
  const { handle } = place;
  const ask = () => (paused ? handle.pause(note) : handle.unpause(note));
  await changeSchedule(place, ask, ({ state }) => state.paused === paused);
}

/**
 * Writes all of a schedule, and returns once Temporal acts by it. Its state is the one that
 * Temporal shows at that moment, if none is given. So a pause that came before lasts.
 */
export async function overwrite(
  place: NamedSchedule,
  whole: Awaited<ReturnType<typeof scheduleOf>>,
  state?: State,
): Promise<void> {
  let before: number | undefined;
  const write = () =>
    place.handle.update((shown) => {
      before = shown.info.lastUpdatedAt?.getTime();
      return { ...whole, state: state ?? shown.state };
    });
  await changeSchedule(place, write, ({ info }) => info.lastUpdatedAt?.getTime() !== before);
}

/**
 * Asks for a change until Temporal shows it. When several changes arrive together, Temporal does
 * the last one of each sort only, and a pause before an update. So it forgets a pause that it has
 * accepted (`processSignals` in its `service/worker/scheduler/workflow.go`).
 */
async function changeSchedule(
  place: NamedSchedule,
  ask: () => Promise<unknown>,
  isMade: (shown: ScheduleDescription) => boolean,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    await askSchedule(place, ask);
    if (isMade(await place.handle.describe())) return;
    await sleep(waitMs);
  }
  throw new Error(
    `Temporal has accepted a change of the schedule ${place.scheduleId}, and does not show it. ` +
      `Look at it: npx --no-install steadfast schedule describe ${place.id}`,
  );
}
