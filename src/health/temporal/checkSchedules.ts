import {
  createSchedules,
  type ListedSchedule,
  type Schedules,
} from '../../client/schedules/schedules';
import { BadOrderError } from '../../orders/input/read';
import { counted } from '../../orders/progress/doing';
import {
  broken,
  fine,
  firstLine,
  type HealthFinding,
  skipped,
  type TemporalToCheck,
} from '../finding';

const name = 'Schedules';

/**
 * Checks that each schedule has started the orders of its periods, and that no signature is over
 * soon. After that, a policy lets its orders out no more.
 */
export async function checkSchedules({
  client,
  config,
}: TemporalToCheck): Promise<HealthFinding[]> {
  try {
    const schedules = createSchedules({ ...config, client });
    const listed = await schedules.list();
    const troubled: string[] = [];
    for (const { id, unread } of listed) {
      if (unread === undefined && (await hasTroubles(schedules, id))) troubled.push(id);
    }
    const faults = [
      ...unreadIn(listed),
      ...notStarted(troubled),
      ...ending(listed),
      ...lastHolidays(listed),
    ];
    return faults.length > 0 ? faults : [fine(name, words(listed))];
  } catch (error) {
    return [skipped(name, `not checked: ${firstLine(error)}`)];
  }
}

function words(listed: readonly ListedSchedule[]): string {
  const overridden = listed.flatMap(({ id, overrides = [] }) =>
    overrides.map((period) => `${id} ${period}`),
  );
  const all = counted(listed.length, 'schedule');
  return overridden.length === 0 ? all : `${all}, overridden: ${overridden.join(', ')}`;
}

async function hasTroubles(schedules: Schedules, id: string): Promise<boolean> {
  try {
    return (await schedules.describe(id)).troubles.length > 0;
  } catch (error) {
    // Somebody has deleted it since it was listed.
    if (error instanceof BadOrderError) return false;
    throw error;
  }
}

function unreadIn(listed: readonly ListedSchedule[]): HealthFinding[] {
  return listed.flatMap(({ id, unread }) =>
    unread === undefined ? [] : [skipped(name, `${id} cannot be read here: ${unread}`)],
  );
}

function notStarted(ids: readonly string[]): HealthFinding[] {
  const [first] = ids;
  if (first === undefined) return [];
  const words = `periods were not started: ${ids.join(', ')}`;
  return [
    broken(name, words, `See why with: npx --no-install steadfast schedule describe ${first}`),
  ];
}

function ending(listed: readonly ListedSchedule[]): HealthFinding[] {
  const few = listed.filter(({ signed }) => signed?.isEnding);
  const [first] = few;
  if (first === undefined) return [];
  const left = few.map(({ id, signed }) => `${id} for ${signed?.left ?? 0}`);
  const words = `signed for few more periods: ${left.join(', ')}`;
  return [
    broken(
      name,
      words,
      `Sign the next ones with: npx --no-install steadfast schedule sign ${first.id}`,
    ),
  ];
}

/** After its last holiday, a schedule takes each day from Monday to Friday for a working day. */
function lastHolidays(listed: readonly ListedSchedule[]): HealthFinding[] {
  return listed.flatMap(({ id, holidays }) => {
    if (!holidays?.isEnding) return [];
    const words = `${id} knows no holiday after ${holidays.last}`;
    const way = 'Delete it, and create it again with the holidays of the next years.';
    return [broken(name, words, way)];
  });
}
