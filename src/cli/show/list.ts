import type { Steadfast } from '../../client/client';
import { type ListedOrder, limitMax } from '../../client/orderList';
import { isScoped } from '../../orders/input/orderId';
import { shown } from '../../orders/input/shown';
import { orderKinds } from '../../orders/kinds';
import { statuses } from '../../orders/progress/status';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError, sentenceOf } from '../exit';
import { type Counts, readPayoutReceipt, tellCounts } from '../payout/tellPayout';
import { pc } from './colors';
import { inColumns } from './columns';
import { tellMoment } from './tellTime';
import { visible } from './visible';

/** Lists orders, newest first: a line for each, or one JSON document. */
export async function list({ flags, voice, connect }: Call): Promise<ExitCode> {
  const status = oneOf('--status', flags.status, statuses);
  const kind = oneOf('--kind', flags.kind, orderKinds);
  const limit = wholeNumber('--limit', flags.limit);
  const { steadfast, config } = await connect();
  const orders = await steadfast.list({
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    limit,
  });
  const counted = await withCounts(orders, { steadfast, scope: config.keyScope });
  voice.answer(counted, tellOrders(counted));
  return exitCodes.done;
}

/** An order in a list. Payouts have counts of their lines. */
type CountedOrder = ListedOrder & {
  counts?: Counts;
  /** The payments of an earlier run of the same id, where this one has no receipt. */
  paidBefore?: string;
  /** Why it cannot be read here, such as for lack of a key. It holds up no other order. */
  unread?: string;
};

/** Counting one payout needs several calls, one of them to a worker. */
const countedMax = 20;

/**
 * Adds the counts of lines to the newest payouts, where known. Orders that ended without a receipt
 * get the payments of earlier runs.
 */
export async function withCounts(
  orders: readonly ListedOrder[],
  { steadfast, scope }: { steadfast: Steadfast; scope: string },
): Promise<CountedOrder[]> {
  const told = orders.filter((order) => order.kind === 'payout' || isWithout(order));
  const read = told.slice(0, countedMax);
  return Promise.all(
    orders.map(async (order) => {
      const { workflowId } = order;
      // An order of another scope has no name here.
      if (!read.includes(order) || !isScoped(workflowId, scope)) return order;
      const found = await steadfast.status(workflowId).catch(sentenceOf);
      if (typeof found === 'string') return { ...order, unread: found };
      const { progress, receipt, paidBefore } = found;
      const before =
        paidBefore !== undefined && isWithout(order) ? { paidBefore: paidBefore.words } : {};
      const counts = readPayoutReceipt(receipt ?? paidBefore?.receipt) ?? progress?.payout;
      if (counts === undefined || order.kind !== 'payout') return { ...order, ...before };
      const { lines, paid, failed, unknown, skipped } = counts;
      return { ...order, ...before, counts: { lines, paid, failed, unknown, skipped } };
    }),
  );
}

/** True for a run that has ended without a receipt. */
function isWithout({ execution }: ListedOrder): boolean {
  return !['RUNNING', 'COMPLETED'].includes(execution);
}

/** Orders as lines of a table. */
export function tellOrders(orders: readonly CountedOrder[]): string[] {
  if (orders.length === 0) return ['No such orders.'];
  const rows = orders.map((order) => [
    order.status ?? order.execution,
    order.kind,
    tellMoment(order.startedAt),
    visible(order.workflowId),
    visible(
      [
        ...(order.counts ? [tellCounts(order.counts)] : []),
        ...(order.paidBefore === undefined
          ? []
          : [`an earlier run of this id ${order.paidBefore}`]),
        order.reference ?? '',
        ...(order.unread === undefined ? [] : [`cannot be read here: ${order.unread}`]),
      ].join('  '),
    ),
  ]);
  return inColumns(rows).map(([status = '', ...others]) =>
    [colours[status.trim()]?.(status) ?? status, ...others].join('  ').trimEnd(),
  );
}

const colours: Readonly<Record<string, (text: string) => string>> = {
  Done: pc.green,
  Unknown: pc.red,
  NeedsOperator: pc.red,
  Failed: pc.red,
  Refused: pc.red,
  Paused: pc.yellow,
  NeedsApproval: pc.yellow,
};

function wholeNumber(flag: string, given: unknown): number {
  const number = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0;
  if (number >= 1 && number <= limitMax) return number;
  throw new InputError(`${flag}: ${shown(given)} must be a whole number from 1 to ${limitMax}.`);
}

function oneOf<T extends string>(flag: string, given: unknown, known: readonly T[]): T | undefined {
  if (given === undefined) return undefined;
  const found = known.find((one) => one.toLowerCase() === String(given).toLowerCase());
  if (found !== undefined) return found;
  throw new InputError(`${flag}: ${shown(given)} must be one of ${known.join(', ')}.`);
}
