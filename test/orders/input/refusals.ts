import { BadOrderError, readOrder } from '../../../src/orders/input/read';
import { kinds, type OrderKind } from '../../../src/orders/kinds';
import { optional, wrong } from './shapes';
import { type Table, tables } from './tables';

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
  return Object.keys(table.fields).flatMap((path) => refusalsOf(kind, table, path));
}

/**
 * The same, where a field that has the shape of others is one line. What such a field is refused
 * with otherwise follows its line.
 */
export function refusalsByShape(kind: OrderKind, table: Table): string[] {
  return Object.entries(table.fields).flatMap(([path, values]) => {
    const own = refusalsOf(kind, table, path);
    const shape = shapeOf(values);
    if (shape === undefined) return own;
    const usual = refusalsOfShape(shape).map((words) => words.replaceAll(place, path));
    return [`${path}: ${shape}`, ...own.filter((words) => !usual.includes(words))];
  });
}

/** The refusals of a shape, with a place in place of the field. */
export function refusalsOfShape(shape: Shape): string[] {
  const [kind, path] = fieldOf[shape];
  const table = { ...tables[kind], fields: { [path]: wrong[shape] } };
  const named = new RegExp(`(^|\\. )${path}(?=[.:])`, 'g');
  return refusalsOf(kind, table, path).map((words) => words.replace(named, `$1${place}`));
}

type Shape = keyof typeof wrong;
const place = '<field>';

/** A field of each shape. */
const fieldOf: Readonly<Record<Shape, readonly [OrderKind, string]>> = {
  address: ['mintTokens', 'contractAddress'],
  recipient: ['transferStablecoin', 'to'],
  amount: ['transferStablecoin', 'amount'],
  token: ['transferStablecoin', 'token'],
  walletId: ['mintTokens', 'walletId'],
  wallet: ['transferStablecoin', 'from'],
  source: ['fundWallet', 'source'],
  name: ['provisionWallets', 'name'],
  text: ['deployContract', 'template'],
  object: ['deployContract', 'parameters'],
  url: ['deployContract', 'parameters.contractUri'],
  fraction: ['deployContract', 'parameters.platformFeePercent'],
  accountType: ['provisionWallets', 'accountType'],
  count: ['provisionWallets', 'count'],
  lineId: ['payout', 'payoutId'],
  walletIds: ['payout', 'wallets'],
  listedWallet: ['payout', 'wallets.0'],
  flag: ['payout', 'strict'],
  lineText: ['payout', 'lines.0.reference'],
  isoId: ['payout', 'lines.0.source.messageId'],
  reserve: ['payout', 'reservePerWallet'],
  money: ['transferStablecoin', 'exchange.amount'],
  currency: ['transferStablecoin', 'exchange.currency'],
  rate: ['transferStablecoin', 'exchange.rate'],
  day: ['transferStablecoin', 'exchange.day'],
  rateSource: ['transferStablecoin', 'exchange.source'],
  exchange: ['transferStablecoin', 'exchange'],
  template: ['deployContract', 'template'],
  parameters: ['deployContract', 'parameters'],
  uri: ['deployContract', 'mint.uri'],
  payee: ['deployContract', 'parameters.platformFeeRecipient'],
};

/** The shape whose values a field begins with, or all of them but that it is missing. */
function shapeOf(values: readonly unknown[]): Shape | undefined {
  const shapes = Object.keys(wrong) as Shape[];
  const begins = (shape: readonly unknown[]): boolean =>
    shape.length > 3 && shape.every((value, at) => Object.is(value, values[at]));
  const fitting = shapes.filter((shape) => begins(wrong[shape]) || begins(optional(wrong[shape])));
  return fitting.sort((one, other) => wrong[other].length - wrong[one].length)[0];
}

function refusalsOf(kind: OrderKind, table: Table, path: string): string[] {
  return wrongIn(table, path).map((order) => refusal(kind, order));
}

/** A right order with each wrong value of each field, one at a time. */
export function wrongOrders(table: Table): unknown[] {
  return Object.keys(table.fields).flatMap((path) => wrongIn(table, path));
}

function wrongIn({ order, fields }: Table, path: string): unknown[] {
  return (fields[path] ?? []).map((value) => change(order, path.split('.'), value));
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
