import type { Signed } from '../orders/input/signed';
import type { Order, OrderKind, Receipt } from '../orders/kinds';
import type { Plan } from '../orders/progress/plan';
import type { Finding } from '../orders/progress/resolve';
import type { Cancelled } from './cancelOrder';
import type { ListedOrder, OrderFilter } from './find/orderList';
import type { OrderStatus } from './orderStatus';
import type { Origin } from './origin';
import type { Payouts } from './payouts';
import type { RateChange, Rates } from './rates';
import type { Schedules } from './schedules/schedules';
import type { Started } from './started';

/**
 * The client. Its ids are your own, and each call is safe to repeat: the same id is the same order,
 * and pays once.
 */
export type Steadfast = Payouts & {
  /**
   * Starts an order under the caller's own id, such as "transfer:invoice-4711". Starting it again
   * attaches to the running order or returns its result. Throws a BadOrderError when the order is
   * wrong, or when the id belongs to another order.
   */
  start<Kind extends OrderKind>(kind: Kind, id: string, order: Order<Kind>): Promise<Started<Kind>>;
  /**
   * Starts an order and waits for its receipt, for days if need be. `start` and then `receipt` can
   * wait for less. Throws an OrderError when the order ends without a receipt. Throws a
   * StillRunningError within seconds where no worker polls its task queue, or none can begin it.
   * The order goes on, and the same call waits for it again.
   */
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
   * Retries one write of a closed order under a new key. Its final record must prove that the write
   * had no effect. Earlier writes keep their keys, so nothing is done twice. A client that signs
   * starts only what its own key has signed before. Throws a BadOrderError for any other order, and
   * if the order has no such record.
   */
  resubmit(id: string): Promise<Started<OrderKind>>;
  /**
   * Asks an order to stop. It ends as cancelled, or as completed where that came too late. A client
   * with a signing key also withdraws its request. The withdrawal counts once a writer has kept it.
   * Returns the fate of the signature. Throws a BadOrderError when the order is not under way,
   * unless its request was withdrawn.
   */
  cancel(id: string, reason: string): Promise<Cancelled>;
  /**
   * Pauses the order before its next write, until it is resumed. A write that the service has
   * accepted still settles. Throws a BadOrderError when the order is not under way.
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
   * Tells an order the outcome of an unknown write. The order checks it with the service. Returns
   * the consequence, or throws a BadOrderError that says why the finding is wrong.
   */
  resolve(id: string, finding: Finding): Promise<string>;
  /**
   * Hands a person's signature on what an order asks for to it (`status` tells the statement).
   * The worker that signs verifies it. Throws a BadOrderError when the order asks for nothing.
   */
  approve(id: string, signed: Signed): Promise<string>;
  /** The same for a rejection, which ends the order. */
  reject(id: string, signed: Signed & { reason: string }): Promise<string>;
  /** Reads the state of an order. Throws a BadOrderError when Temporal knows no such id. */
  status(id: string): Promise<OrderStatus>;
  /**
   * Reads when an order began, over all runs of its id, and the payment of a transfer that has
   * ended unpaid. Throws a BadOrderError when Temporal knows no such id.
   */
  origin(id: string): Promise<Origin>;
  /** Orders, newest first: all, or those that stand so. Throws a BadOrderError for other words. */
  list(wanted?: OrderFilter): Promise<ListedOrder[]>;
  /**
   * Reads the limits: calls a second of all workers of the queue together, and who has set them.
   */
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
