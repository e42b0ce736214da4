import type { Steadfast } from '../../client/client';
import type { ListedOrder, OrderFilter } from '../../client/find/orderList';
import { standingIn } from '../../client/find/standing';
import { isScoped } from '../../orders/input/orderId';
import { shown } from '../../orders/input/shown';
import { idWords, kinds, type OrderKind, orderKinds } from '../../orders/kinds';
import { statuses } from '../../orders/progress/status';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError, sentenceOf } from '../exit';
import type { Flags } from '../flags';
import { type Counts, readPayoutReceipt, tellCounts } from '../payout/tellPayout';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellMoment } from '../show/tellTime';
import { visible } from '../show/visible';
import { readAddress, readDecimal, readSince, wholeNumber } from './filters';
import { walletAddressOf } from './wallet';

/** Lists orders, newest first: a line for each, or one JSON document. */
export async function printOrders(call: Call): Promise<ExitCode> {
  const { flags, voice, connect, terminal } = call;
  const wanted = wantedBy(flags);
  const wallet = await walletAddressOf(flags.wallet, call);
  const { steadfast, config } = await connect();
  const orders = await steadfast.list({ ...wanted, ...(wallet === undefined ? {} : { wallet }) });
  const counted = await withCounts(orders, { steadfast, scope: config.keyScope });
  const hasHeader = terminal.stdout.isTTY === true && counted.length > 0;
  voice.answer(counted, tellOrders(counted, hasHeader));
  const isByMoney = [flags.to, flags.amount, wallet].some((flag) => flag !== undefined);
  if (counted.length === 0 && isByMoney) {
    voice.note('Lines of payouts are found with: npx --no-install steadfast paid');
  }
  return exitCodes.done;
}

/** The filter of the flags, all but the wallet. */
function wantedBy({ status, kind, reference, to, amount, since, limit }: Flags): OrderFilter {
  const state = oneOf('--status', status, statuses);
  return {
    ...(state === undefined ? {} : { status: state }),
    ...(kind === undefined ? {} : { kind: kindsOf(String(kind)) }),
    ...(reference === undefined ? {} : { reference: String(reference) }),
    ...(to === undefined ? {} : { to: readAddress('--to', to) }),
    ...(amount === undefined ? {} : { amount: readDecimal('--amount', amount) }),
    ...(since === undefined ? {} : { since: readSince(since) }),
    limit: wholeNumber('--limit', limit),
  };
}

/** The kinds of a word: a kind, or the command that starts it, such as "transfer". */
function kindsOf(word: string): OrderKind[] {
  const ofCommand = orderKinds.filter((kind) => kinds[kind].idWord === word.toLowerCase());
  if (ofCommand.length > 0) return ofCommand;
  const found = orderKinds.find((kind) => kind.toLowerCase() === word.toLowerCase());
  if (found !== undefined) return [found];
  throw new InputError(
    `--kind: ${shown(word)} must be a command (${idWords.join(', ')}) or a workflow ` +
      `(${orderKinds.join(', ')}).`,
  );
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

const header = ['status', 'kind', 'started', 'id', 'about'];

/** Orders as lines of a table. */
export function tellOrders(orders: readonly CountedOrder[], hasHeader = false): string[] {
  if (orders.length === 0) return ['No such orders.'];
  const rows = orders.map((order) => [
    standingIn(order.status, order.execution),
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
  const [first = [], ...others] = inColumns([header, ...rows]);
  const told = others.map(([status = '', ...more]) =>
    [colours[status.trim()]?.(status) ?? status, ...more].join('  ').trimEnd(),
  );
  return hasHeader ? [pc.bold(first.join('  ').trimEnd()), ...told] : told;
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

function oneOf<T extends string>(flag: string, given: unknown, known: readonly T[]): T | undefined {
  if (given === undefined) return undefined;
  const found = known.find((one) => one.toLowerCase() === String(given).toLowerCase());
  if (found !== undefined) return found;
  throw new InputError(`${flag}: ${shown(given)} must be one of ${known.join(', ')}.`);
}
