import { linesDigest } from '../../checks/digest';
import { inOneLine } from '../../orders/describe';
import { type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { closeKind } from '../../orders/schedule/dailyClose';
import { orderOfPeriod, type PeriodStart, unsignedOrder } from '../../orders/schedule/schedule';
import { sumOfOrder } from '../../orders/schedule/sumOf';

/** The lines of a schedule are the same in each period. */
const anyPeriod = '2000-01';

/** The order of a schedule in one line, for people who are to sign it. */
export function orderTerms(start: PeriodStart): string {
  const { kind } = start;
  const order = unsignedOrder(start);
  if (kind === closeKind) return inOneLine(order);
  return inTerms(kind, order, readOrderOf(kind, orderOfPeriod({ ...start, order }, anyPeriod)));
}

/**
 * An order in one line. Lines are shown by their sum and by the digest that everybody computes from
 * a file: lines that differ look different.
 */
export function inTerms(kind: OrderKind, order: object, read: ReadOrder<OrderKind>): string {
  if (!('lines' in read) || read.lines === undefined) return inOneLine(order);
  const sums = Object.entries(sumOfOrder(kind, read) ?? {}).map(
    ([token, sum]) => `${sum} ${token}`,
  );
  const digest = linesDigest(read.lines);
  return `${inOneLine(order)} · sum ${sums.join(' and ')} · digest ${digest}`;
}
