import { createSchedules } from '../../client/schedules/schedules';
import { counted } from '../../orders/progress/doing';
import { type Asked, broken, type Finding, fine, reasonOf, skipped } from './finding';

const name = 'Schedules';

/** Checks that no signature of a schedule is over soon: a policy then lets its orders out no more. */
export async function checkSchedules({ client, config }: Asked): Promise<Finding> {
  try {
    const schedules = await createSchedules({ ...config, client }).list();
    const ending = schedules.filter(({ signed }) => signed?.isEnding);
    const [first] = ending;
    if (first === undefined) return fine(name, counted(schedules.length, 'schedule'));
    const left = ending.map(({ id, signed }) => `${id} for ${signed?.left ?? 0}`);
    return broken(
      name,
      `signed for few more periods: ${left.join(', ')}`,
      `Sign the next ones with: npx steadfast schedule sign ${first.id}`,
    );
  } catch (error) {
    return skipped(name, `not checked: ${reasonOf(error)}`);
  }
}
