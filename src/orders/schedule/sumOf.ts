import { kindOf, type OrderKind, type ReadOrder, readOrderOf } from '../kinds';
import { sumByToken, sumOfSums } from '../payout/tally';
import { closeKind } from './dailyClose';
import { orderOfPeriod, type PeriodStart } from './schedule';

/** The money of several orders by token, without fees. Undefined where only they will tell. */
export type Sum = Record<string, string> | undefined;

/** Adds up the orders of some periods of a schedule. They move this much at most. */
export function sumOf(start: PeriodStart, periods: readonly string[]): Sum {
  const { kind } = start;
  if (kind === closeKind) return {};
  const [first = ''] = periods;
  const ofPeriod = (period: string): Sum => {
    return sumOfOrder(kind, readOrderOf(kind, orderOfPeriod(start, period)));
  };
  // The lines of a payout are many, and seldom differ.
  const isAlike = !JSON.stringify(start.order, deciding).includes('{period}');
  const one = isAlike ? ofPeriod(first) : undefined;
  const all = periods.map((period) => (isAlike ? one : ofPeriod(period)));
  const known = all.filter((sum) => sum !== undefined);
  return known.length < all.length ? undefined : sumOfSums(known);
}

/** Leaves out the texts of an order that say nothing of its money. */
function deciding(field: string, value: unknown): unknown {
  return ['reference', 'lineId', 'request'].includes(field) ? undefined : value;
}

/** The money of one order by token, without fees. */
export function sumOfOrder(kind: OrderKind, order: ReadOrder<OrderKind>): Sum {
  if ('lines' in order && order.lines !== undefined) return sumByToken(order.lines);
  // A function may move more than the coins that its call carries.
  if ('abiFunctionSignature' in order || !('amount' in order)) return movesNothing[kind];
  const { amount } = order;
  const token = 'token' in order ? order.token : kindOf(kind).amountOf?.(order);
  return amount === undefined || token === undefined ? undefined : { [token]: amount };
}

/** The kinds that move no money of a wallet, but for fees. */
const movesNothing: Partial<Record<OrderKind, Sum>> = { provisionWallets: {} };
