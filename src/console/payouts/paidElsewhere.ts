import { checkWithPaid } from '../../books/archive/checkWithPaid';
import { daysSince } from '../../checks/check';
import { linePayment } from '../../checks/payment';
import type { LineResult } from '../../orders/payout';
import type { ConsoleParts } from '../parts';

/**
 * The payments of other orders that are like a line, as a sentence. A line that was not paid is no
 * proof that nobody has paid its payee in another order since. Undefined where none is known.
 */
export async function paidElsewhere(
  { book, store, steadfast }: Pick<ConsoleParts, 'book' | 'store' | 'steadfast'>,
  { orderId, line }: { orderId: string; line: LineResult },
): Promise<string | undefined> {
  const order = { orderId, payments: [linePayment(line)] };
  const { beganAt } = await steadfast.origin(orderId);
  const known = { book: book(), store, days: daysSince(beganAt) };
  const { checked } = await checkWithPaid(order, known);
  return checked.findings.find(({ check }) => check === 'paidBefore')?.words;
}
