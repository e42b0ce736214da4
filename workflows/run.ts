import type { CancellationScope } from '@temporalio/workflow';
import type { WriteIdentity } from '../activities/attempt';
import type { OpenedOrder } from '../activities/openOrder';
import type { OrderKind } from '../src/orders/kinds';
import type { Progress } from '../src/orders/status';

/** A write of this order, and how far it has come. */
export type WriteState = {
  identity: WriteIdentity;
  /** open until the service has taken it, accepted until nothing of it is under way any more. */
  stage: 'open' | 'accepted' | 'settled';
};

/** What a run hands on to the next one when it continues as new. Plain JSON. */
export type Carried = {
  opened?: OpenedOrder<OrderKind>;
  /** Results of finished steps by their path: no step is done again. */
  done: Record<string, unknown>;
  /** Every write that was ever scheduled, by its path. */
  writes: Record<string, WriteState>;
  /** What the steps have made so far, for the failure of an order that ends half-way. */
  made: Record<string, unknown>;
  progress: string[];
  /** How often each transaction was looked at, so that the delays go on where they were. */
  looks: Record<string, number>;
  /**
   * What the order did before may stand in a history that is no longer its own: after a reset, or
   * when Temporal itself starts a continued run again. Every write then counts as ambiguous.
   */
  doubtful: boolean;
  /** A cancellation was asked for; it takes effect as soon as nothing is under way. */
  cancelAsked: boolean;
};

/** One order on its way: what it knows, what it has made, and how it is seen from outside. */
export type Run<Kind extends OrderKind = OrderKind> = {
  opened: OpenedOrder<Kind>;
  /** The order as it was given, to continue as new with. */
  order: unknown;
  carried: Carried;
  progress: Progress;
  /** True while a write is at the service, whatever is known of it. */
  sending: boolean;
  woken: boolean;
  /** Temporal itself has asked to cancel this very run. */
  cancelledByTemporal: boolean;
  /** False until it is known that the namespace has our search attributes. */
  searchAttributes: boolean;
  /** What the order does; cancelled only while nothing can be under way. */
  scope: CancellationScope;
};
