import { closeKind } from '../../orders/schedule/dailyClose';
import { periodStart } from '../../orders/schedule/schedule';
import { stillCounting, wayToWithdraw } from '../stillCounting';
import { type Told, withdraw } from '../withdrawal';
import { asked, idsBeginOf, type Named } from './parts';

/**
 * Deletes a schedule, and withdraws its request where this client has the key. So none of its
 * periods is sent any more that was not sent before. Returns the fate of the signature.
 */
export async function removeSchedule(place: Named): Promise<Told> {
  const { handle } = place;
  const { action } = await asked(place, () => handle.describe());
  const start = periodStart.safeParse(action.args?.[0]).data;
  if (start === undefined || start.kind === closeKind) {
    await asked(place, () => handle.delete());
    return { isKept: false, words: '' };
  }
  const order = idsBeginOf(place, start.kind);
  const withdrawal = await withdraw(place, order);
  await asked(place, () => handle.delete());
  const told = await withdrawal?.told();
  const still = stillCounting(start.order.request, {
    key: withdrawal?.key,
    way: wayToWithdraw(order),
  });
  const words = [told?.words, still].filter((one) => one !== undefined).join(' ');
  return { isKept: told?.isKept ?? false, words };
}
