import { BadOrderError, readOrder } from '../../../src/orders/input/read';
import { kinds, type OrderKind } from '../../../src/orders/kinds';
import type { Table } from './tables';

/** The refusal of an order. Throws when it is accepted or fails in another way. */
export function refusal(kind: OrderKind, order: unknown): string {
  try {
    readOrder(kinds[kind].order, order);
  } catch (error) {
    if (error instanceof BadOrderError) return error.message;
    throw error;
  }
  throw new Error(`${kind} was accepted with ${JSON.stringify(order)}`);
}

/** The refusals of a right order for each wrong value of each field. */
export function refusals(kind: OrderKind, table: Table): string[] {
  return wrongOrders(table).map((order) => refusal(kind, order));
}

/** A right order with each wrong value of each field, one at a time. */
export function wrongOrders({ order, fields }: Table): unknown[] {
  return Object.entries(fields).flatMap(([path, values]) =>
    values.map((value) => change(order, path.split('.'), value)),
  );
}

/** A copy with another value at the path. Undefined omits the field. */
function change(order: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(order)) {
    return order.map((item, at) => (String(at) === key ? change(item, rest, value) : item));
  }
  const { [key]: inner, ...others } = isFields(order) ? order : {};
  // A wallet is named in one way: what is given here replaces the other.
  if (key === 'walletAddress') delete others.walletId;
  const changed = change(inner, rest, value);
  return changed === undefined ? others : { ...others, [key]: changed };
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
