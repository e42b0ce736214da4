import type { Client } from '@temporalio/client';
import type { ListedOrder, Wanted } from './orderList';
import type { OrderStatus } from './orderStatus';
import type { Order, OrderKind, Receipt } from './orders/kinds';
import type { Plan } from './orders/plan';
import type { Finding } from './orders/resolve';
import type { Payouts } from './payouts';
import type { RateChange, Rates } from './rates';
import type { Schedules } from './schedules';

/** How a start went: a new run, a run that was under way, or one that had completed before. */
export type Started<Kind extends OrderKind> = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
  /** Waits for the receipt; throws an OrderError when the order ends otherwise. */
  receipt(): Promise<Receipt<Kind>>;
};

export type Steadfast = Payouts & {
  /**
   * Starts an order under the caller's own id, such as "transfer:invoice-4711". Starting twice is
   * safe: the second start attaches to the first, or returns what it came to. Throws a
   * BadOrderError when the order is wrong, or when the id belongs to another order.
   */
  start<Kind extends OrderKind>(kind: Kind, id: string, order: Order<Kind>): Promise<Started<Kind>>;
  /** Starts an order and waits for its receipt, for days if need be. */
  execute<Kind extends OrderKind>(
    kind: Kind,
    id: string,
    order: Order<Kind>,
  ): Promise<Receipt<Kind>>;
  /**
   * Tells what an order would do, with the keys that it would use and what its first write would
   * cost, and does nothing of it. Throws a BadOrderError or an OrderError where the order itself
   * would be refused.
   */
  plan<Kind extends OrderKind>(kind: Kind, id: string, order: Order<Kind>): Promise<Plan>;
  /**
   * Attempts anew what came to nothing: the one write of a closed order whose final record says so,
   * under a key of its own. Everything before it keeps its keys, so nothing is done twice. Throws a
   * BadOrderError when the order has not ended so.
   */
  resubmit(id: string): Promise<Started<OrderKind>>;
  /**
   * Asks an order to stop. It ends as cancelled, or as completed where that came too late. Throws a
   * BadOrderError when it is not under way.
   */
  cancel(id: string, reason: string): Promise<void>;
  /**
   * Holds back whatever the order would send next, until it is resumed; what the service has taken
   * goes on. Throws a BadOrderError when it is not under way.
   */
  pause(id: string, reason: string): Promise<void>;
  /** Lets a paused order go on. Throws a BadOrderError when it is not paused. */
  resume(id: string): Promise<void>;
  /**
   * Has the service pay a higher fee for the transaction that settles now. Returns what it said, or
   * throws a BadOrderError when none settles, or when the service does not do it.
   */
  accelerate(id: string): Promise<string>;
  /**
   * Says what became of a write that is unknown; it is held against the service. Returns what
   * follows from it, or throws a BadOrderError that says why it does not hold.
   */
  resolve(id: string, finding: Finding): Promise<string>;
  /** Where an order stands. Throws a BadOrderError when Temporal knows no such id. */
  status(id: string): Promise<OrderStatus>;
  /** Orders, newest first: all, or those that stand so. Throws a BadOrderError for other words. */
  list(wanted?: Wanted): Promise<ListedOrder[]>;
  /** How many calls a second all workers of the queue may make together, and who has said so. */
  rates(): Promise<Rates>;
  /**
   * Changes that at once and for good, whatever workers are started with: a number a second, "off",
   * or "default" for what they are started with. Throws a BadOrderError for anything else.
   */
  changeRates(change: RateChange): Promise<Rates>;
  /** Orders that are started again and again, one for each period. */
  schedules: Schedules;
  /** Closes the connection, if it was made here. */
  close(): Promise<void>;
};

export type SteadfastOptions = {
  client: Client;
  taskQueue: string;
  /** Set where several systems share one custody account: it comes before each workflow id. */
  keyScope?: string;
  /**
   * Whether the client's payloads are encrypted, as `readPrivacy` says: an id that would tell what
   * they hide is then refused.
   */
  isPrivate?: boolean;
};
