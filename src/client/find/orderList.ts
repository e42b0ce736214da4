import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { z } from 'zod';
import { isRecord } from '../../custody/isRecord';
import { address as addressIn } from '../../orders/input/fields';
import { BadOrderError } from '../../orders/input/read';
import { isSameAmount } from '../../orders/input/sameAmount';
import { shown } from '../../orders/input/shown';
import { type OrderKind, orderKinds } from '../../orders/kinds';
import { type AttributeName, type Status, statuses } from '../../orders/progress/status';
import { memoryIn } from '../temporal/ordersIn';
import { inQuery } from '../temporal/runsOf';
import { withoutMemos } from '../temporal/withoutMemos';
import { newestFirst } from './newestFirst';

/** The filter of a list of orders. An order must have all that is given. */
export type OrderFilter = {
  status?: Status;
  /** One kind, or several. */
  kind?: OrderKind | readonly OrderKind[];
  /** The caller's own reference, in full. */
  reference?: string;
  /** The address of the wallet that pays, calls or is funded. A payout shows none. */
  wallet?: string;
  /** The recipient's address. The lines of payouts are not looked at. */
  to?: string;
  /** The amount in the token's own units, such as "12.5". It also finds "12.50". */
  amount?: string;
  /** ISO 8601: orders whose run began then or later. */
  since?: string;
  /** ISO 8601: orders whose run began then or earlier, to the millisecond. */
  until?: string;
  /** Only orders of this key scope. */
  scope?: string;
  /** Only orders that are under way. */
  isRunning?: boolean;
  /** The most orders to list, newest first. The default is 50. */
  limit?: number;
};

/** An order in a list. */
export type ListedOrder = {
  workflowId: string;
  kind: string;
  /** The order's own last word. Undefined on a namespace without our search attributes. */
  status: string | undefined;
  /** Temporal's word. */
  execution: string;
  reference: string | undefined;
  startedAt: string;
  closedAt: string | undefined;
};

const limitUsual = 50;
export const limitMax = 1_000;

/**
 * Orders, the one that began last first, as Temporal's visibility shows them: a second or so
 * behind. Where payloads are private, no search attribute tells a wallet or a reference.
 */
export async function listOrders(client: Client, wanted: OrderFilter = {}): Promise<ListedOrder[]> {
  const { limit = limitUsual, since, until } = wanted;
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new BadOrderError(`limit: ${limit} must be a whole number from 1 to ${limitMax}.`);
  }
  if (wanted.amount !== undefined) refuseOtherAmounts(wanted.amount);
  const sinceMs = since === undefined ? 0 : momentMs('since', since);
  if (until !== undefined) momentMs('until', until);
  const orders: ListedOrder[] = [];
  const { workflow } = withoutMemos(client);
  for await (const run of newestFirst(workflow, queryOf(wanted), { sinceMs })) {
    if (!(await movesAsWanted(client, run, wanted))) continue;
    orders.push(listed(run));
    if (orders.length === limit) break;
  }
  return orders;
}

const day = z.iso.date();
/** Any other form may be read in several ways: "01/02/2026" is two days. */
const isoForm = /^\d{4}-\d{2}-\d{2}(T[\d:.,]+(Z|[+-][\d:]+)?)?$/;

/** An empty list for "12,50" would say that nothing was paid. */
function refuseOtherAmounts(amount: string): void {
  if (/^\d+(\.\d+)?$/.test(amount)) return;
  throw new BadOrderError(`amount: ${shown(amount)} must be a plain number, such as "12.50".`);
}

function momentMs(field: 'since' | 'until', moment: string): number {
  const ms = isoForm.test(moment) ? Date.parse(moment) : Number.NaN;
  // A Date takes the 30th of February for a day in March.
  if (!Number.isNaN(ms) && day.safeParse(moment.slice(0, 10)).success) return ms;
  throw new BadOrderError(`${field}: ${shown(moment)} must be an ISO 8601 time.`);
}

/**
 * Refuses a filter that finds nothing where payloads are private. An empty list would say that an
 * order was never made, and somebody would pay again.
 */
export function refuseHidden(wanted: OrderFilter | undefined): void {
  const hidden = (['reference', 'wallet'] as const).find((field) => wanted?.[field] !== undefined);
  if (hidden === undefined) return;
  throw new BadOrderError(
    `${hidden}: no list tells it, since payloads are private. Give the recipient or the amount, or ` +
      'search the archive with: npx --no-install steadfast paid',
  );
}

function queryOf(wanted: OrderFilter): string {
  const { status, kind = orderKinds, reference, wallet, until, isRunning, scope = '' } = wanted;
  if (status !== undefined && !statuses.includes(status)) {
    throw new BadOrderError(`status: "${status}" must be one of ${statuses.join(', ')}.`);
  }
  const kinds = [kind].flat();
  const wrong = kinds.find((one) => !orderKinds.includes(one));
  if (wrong !== undefined || kinds.length === 0) {
    throw new BadOrderError(`kind: "${wrong}" must be one of ${orderKinds.join(', ')}.`);
  }
  return [
    `WorkflowType IN (${kinds.map(inQuery).join(', ')})`,
    "ExecutionStatus != 'ContinuedAsNew'",
    ...(status === undefined ? [] : [`SteadfastStatus = '${status}'`]),
    ...(reference === undefined ? [] : [`SteadfastRef = ${inQuery(reference)}`]),
    ...(scope === '' ? [] : [`WorkflowId STARTS_WITH ${inQuery(`${scope}:`)}`]),
    ...(isRunning === true ? ["ExecutionStatus = 'Running'"] : []),
    // Temporal's times are finer than a millisecond.
    ...(until === undefined
      ? []
      : [`StartTime < '${new Date(Date.parse(until) + 1).toISOString()}'`]),
    // An order shows its wallet with the checksum of the address.
    ...(wallet === undefined ? [] : [`SteadfastWallet = '${checksummed('wallet', wallet)}'`]),
  ].join(' AND ');
}

function checksummed(field: 'wallet' | 'to', address: string): string {
  const { data, error } = addressIn.safeParse(address);
  if (data !== undefined) return data;
  throw new BadOrderError(`${field}: ${shown(address)} ${error?.issues[0]?.message}.`);
}

/** Compares the recipient and the amount in the memory of an order, if any is wanted. */
async function movesAsWanted(
  client: Client,
  { raw }: WorkflowExecutionInfo,
  { to, amount }: OrderFilter,
): Promise<boolean> {
  if (to === undefined && amount === undefined) return true;
  const recipient = to === undefined ? undefined : checksummed('to', to).toLowerCase();
  const memory = await memoryIn(client, raw.memo);
  const money = isRecord(memory) && isRecord(memory.money) ? memory.money : {};
  const isTo = recipient === undefined || String(money.to).toLowerCase() === recipient;
  return isTo && (amount === undefined || isSameAmount(String(money.amount), amount));
}

function listed(run: WorkflowExecutionInfo): ListedOrder {
  const attribute = (name: AttributeName): string | undefined => {
    const [value] = run.searchAttributes[name] ?? [];
    return value === undefined ? undefined : String(value);
  };
  return {
    workflowId: run.workflowId,
    kind: run.type,
    status: attribute('SteadfastStatus'),
    execution: run.status.name,
    reference: attribute('SteadfastRef'),
    startedAt: run.startTime.toISOString(),
    closedAt: run.closeTime?.toISOString(),
  };
}
