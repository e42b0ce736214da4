import type { z } from 'zod';
import type { Order, OrderKind, Plan, Started, Steadfast } from '../client';
import { orderSchemas } from '../orders/kinds';
import { readOrder } from '../orders/read';

/** An order that has been checked: how to start it, and how to learn what it would do. */
export type Startable = {
  start(steadfast: Steadfast, id: string): Promise<Started<OrderKind>>;
  plan(steadfast: Steadfast, id: string): Promise<Plan>;
};

/**
 * Checks an order of a kind, so that bad input is refused before anything is connected to; returns
 * what can be done with it.
 */
function starter<Kind extends OrderKind>(
  kind: Kind,
  schema: z.ZodType<Order<Kind>>,
): (fields: unknown) => Startable {
  return (fields) => {
    const order = readOrder(schema, fields);
    return {
      start: (steadfast, id) => steadfast.start(kind, id, order),
      plan: (steadfast, id) => steadfast.plan(kind, id, order),
    };
  };
}

/** One a kind: the compiler holds each schema against the order that its workflow takes. */
export const starters: Readonly<Record<OrderKind, (fields: unknown) => Startable>> = {
  provisionWallets: starter('provisionWallets', orderSchemas.provisionWallets),
  deployContract: starter('deployContract', orderSchemas.deployContract),
  mintTokens: starter('mintTokens', orderSchemas.mintTokens),
  executeContract: starter('executeContract', orderSchemas.executeContract),
  fundWallet: starter('fundWallet', orderSchemas.fundWallet),
  transferStablecoin: starter('transferStablecoin', orderSchemas.transferStablecoin),
  sweepWallets: starter('sweepWallets', orderSchemas.sweepWallets),
  deploymentSequence: starter('deploymentSequence', orderSchemas.deploymentSequence),
  transferSequence: starter('transferSequence', orderSchemas.transferSequence),
  payout: starter('payout', orderSchemas.payout),
};
