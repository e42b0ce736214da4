import { daysSince } from '../../checks/check';
import type { CheckedPayment } from '../../checks/payment';
import { namedIdOf } from '../../orders/input/orderId';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { reportAct } from '../order/reportAct';
import { bookIn, checkOrder } from './checkOrder';

/** Payments of an order that are to be sent now. A transfer's has the id of its order. */
type Again = { id: string; payments: readonly CheckedPayment[] };

/**
 * Tells payments of other orders that are like those to be sent now. Another order may have paid
 * the same payee since. Asks a person on a terminal whether to send them. Returns false for a no.
 */
export async function isSentAllTheSame({ id, payments }: Again, call: Call): Promise<boolean> {
  if (payments.length === 0) return true;
  const { steadfast, config } = await call.connect();
  const { terminal, voice } = call;
  const orderId = namedIdOf(id, config.keyScope);
  const { beganAt } = await steadfast.origin(id);
  const how = { terminal, voice, days: daysSince(beganAt) };
  const { findings } = await checkOrder({ orderId, payments }, bookIn(terminal.env), how);
  const like = findings.filter(({ check }) => check === 'paidBefore');
  for (const { lineId, words } of like) {
    voice.note(`! ${lineId === id ? id : `line ${lineId}`} ${words}`);
  }
  if (like.length === 0 || !isSomebodyThere(terminal)) return true;
  const what = payments[0]?.lineId === id ? 'it' : 'these lines';
  if (await askYesNo(`Send ${what} all the same?`, terminal)) return true;
  reportAct(id, call, 'Nothing was sent.');
  return false;
}
