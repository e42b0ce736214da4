import { pc } from '../colors';
import { type ListedOrder, limitMax } from '../orderList';
import { orderKinds } from '../orders/kinds';
import { shown } from '../orders/shown';
import { statuses } from '../orders/status';
import { connect } from './connect';
import { type ExitCode, exitCodes, InputError } from './exit';
import type { Flags } from './orderCommand';
import { tellMoment } from './tellTime';
import { visible } from './visible';
import { createVoice } from './voice';

/** Lists orders, newest first: a line for each, or one JSON document. */
export async function listOrders(flags: Flags): Promise<ExitCode> {
  const voice = createVoice(flags.json === true);
  const status = oneOf('--status', flags.status, statuses);
  const kind = oneOf('--kind', flags.kind, orderKinds);
  const limit = wholeNumber('--limit', flags.limit);
  const { steadfast } = await connect();
  const orders = await steadfast.list({
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    limit,
  });
  voice.document(orders);
  if (!voice.isJson) for (const line of tellOrders(orders)) voice.say(line);
  return exitCodes.done;
}

/** Orders as lines of a table. */
export function tellOrders(orders: readonly ListedOrder[]): string[] {
  if (orders.length === 0) return ['No such orders.'];
  const rows = orders.map((order) => [
    order.status ?? order.execution,
    order.kind,
    tellMoment(order.startedAt),
    visible(order.workflowId),
    visible(order.reference ?? ''),
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const [status = '', ...others] = cells;
    return [colours[status.trim()]?.(status) ?? status, ...others].join('  ').trimEnd();
  });
}

const colours: Readonly<Record<string, (text: string) => string>> = {
  Done: pc.green,
  Unknown: pc.red,
  NeedsOperator: pc.red,
  Failed: pc.red,
  Refused: pc.red,
  Paused: pc.yellow,
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
