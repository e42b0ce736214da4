import { scheduleWord, workflowIdOf } from '../../orders/input/orderId';
import { BadOrderError } from '../../orders/input/read';
import { periodStart } from '../../orders/schedule/schedule';
import { takeBack, type WithdrawalFate } from '../signing/withdrawal';
import { overridesOf } from './overrides/overrides';
import { askSchedule, type NamedSchedule, startIn } from './parts';

/** The end of a schedule, and the fate of its signature. */
export type Removed = WithdrawalFate & {
  /** False if Temporal did not know it any more, so that only its request was withdrawn. */
  isDeleted: boolean;
  /** Periods whose overrides stay, for a schedule that is created again under this id. */
  overrides: string[];
};

/**
 * Deletes a schedule, and withdraws its request where this client has the key. So none of its
 * periods is sent any more that was not sent before. A schedule that is gone is no fault if its
 * request was withdrawn.
 */
export async function removeSchedule(place: NamedSchedule): Promise<Removed> {
  const { id, handle, keyScope = '' } = place;
  const overrides = await standingIn(place);
  const { isKept, words, ...ended } = await takeBack(place, {
    order: workflowIdOf(`${scheduleWord}:${id}`, keyScope),
    way: `npx --no-install steadfast schedule delete ${id}`,
    shown: async () => {
      const { action } = await handle.describe();
      return periodStart.safeParse(action.args?.[0]).data?.order.request;
    },
    ask: () => askSchedule(place, () => handle.delete()),
  });
  if ('answer' in ended) return { isDeleted: true, isKept, words, overrides };
  const all = `${ended.fault.message} ${words}`.trim();
  if (isKept) return { isDeleted: false, isKept, words: all.replace(/^id: /, ''), overrides };
  throw new BadOrderError(all);
}

/** The overrides of a schedule are told about, and decide nothing. */
async function standingIn(place: NamedSchedule): Promise<string[]> {
  try {
    const overrides = await overridesOf(place, startIn(await place.handle.describe()));
    return overrides.map(({ period }) => period);
  } catch {
    return [];
  }
}
