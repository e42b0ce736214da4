import { setImmediate as turn } from 'node:timers/promises';
import { coinOf } from '../../checks/coinOf';
import type { Paid } from '../../checks/payment';
import type { OpenDatabase, Row, Work } from '../../store/work';
import { receiptIn } from './receiptIn';
import { paymentsOfText, shortForm } from './shortForm';
import { archiveSql } from './tables';

/** The number of receipts in one row at most, and of receipts that are read at a time. */
const keptAtOnce = 1_000;
const readAtOnce = 2_000;

/**
 * The payments of an archive, in the order in which their receipts were added, a page at a time.
 * They are kept in a short form, since a million receipts take long to read. Receipts that are not
 * there yet are added first. While nothing can be written, they are read as they are.
 */
export async function* readPayments({
  change,
  read,
}: OpenDatabase): AsyncGenerator<Iterable<Paid>> {
  await keepAll(change).catch(() => {});
  let last = 0;
  for (;;) {
    // Each reading that finds a new receipt keeps a row, so that rows may be short and many.
    const near = await read(archiveSql.paymentsWithin.all(last, last + readAtOnce));
    const rows = near.length > 0 ? near : await read(archiveSql.nextPayments.all(last));
    if (rows.length === 0) break;
    for (const { doc } of rows) yield paymentsOfText(String(doc));
    // A file answers at once. Others of this process have their turn between its pages.
    await turn();
    last = Number(rows.at(-1)?.at ?? last);
  }
  for (;;) {
    const rows = await read(archiveSql.after.all(last, keptAtOnce));
    if (rows.length > 0) yield rows.flatMap(paidOf);
    await turn();
    last = Number(rows.at(-1)?.at ?? last);
    if (rows.length < keptAtOnce) return;
  }
}

async function keepAll(change: OpenDatabase['change']): Promise<void> {
  while (await change(keepNext()));
}

/** Keeps the short forms of the next receipts. Returns false after the last one. */
function* keepNext(): Work<boolean> {
  const newest = yield* archiveSql.lastPayment.get();
  const rows = yield* archiveSql.after.all(Number(newest?.at ?? 0), keptAtOnce);
  const end = rows.at(-1);
  if (end === undefined) return false;
  yield* archiveSql.addPayments.run(end.at, shortForm(rows.flatMap(paidOf)));
  return rows.length === keptAtOnce;
}

/** The payment that the receipt of a row is of. None for a receipt that has moved no money. */
function paidOf(row: Row): Paid[] {
  const { order, item, outcome, kind, sender, money, time, contradicts } = receiptIn(row);
  if (money === undefined || outcome !== 'completed' || kind !== 'transfer') return [];
  if (contradicts !== undefined) return [];
  const paid: Paid = {
    orderId: order.id,
    lineId: item,
    isPayout: order.kind === 'payout',
    to: money.to.toLowerCase(),
    sender: sender.toLowerCase(),
    amount: money.amount,
    coin: coinOf(money.token.address || 'native'),
    name: order.payee,
    exchange: order.exchange && {
      amount: order.exchange.amount,
      currency: order.exchange.currency,
    },
    linesDigest: order.linesDigest,
    atMs: Date.parse(time),
  };
  return [paid];
}
