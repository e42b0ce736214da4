import type { z } from 'zod';
import type { Order, OrderKind, Started, Steadfast } from '../client';
import { orderSchemas } from '../orders/kinds';
import { readOrder } from '../orders/read';

/** Starts an order that has been checked. */
export type Start = (steadfast: Steadfast, id: string) => Promise<Started<OrderKind>>;

/**
 * Checks an order of a kind, so that bad input is refused before anything is connected to; returns
 * how to start it.
 */
function starter<Kind extends OrderKind>(
  kind: Kind,
  schema: z.ZodType<Order<Kind>>,
): (fields: unknown) => Start {
  return (fields) => {
    const order = readOrder(schema, fields);
    return (steadfast, id) => steadfast.start(kind, id, order);
  };
}

/** One a kind: the compiler holds each schema against the order that its workflow takes. */
export const starters: Readonly<Record<OrderKind, (fields: unknown) => Start>> = {
  provisionWallets: starter('provisionWallets', orderSchemas.provisionWallets),
  deployContract: starter('deployContract', orderSchemas.deployContract),
  mintTokens: starter('mintTokens', orderSchemas.mintTokens),
  executeContract: starter('executeContract', orderSchemas.executeContract),
  fundWallet: starter('fundWallet', orderSchemas.fundWallet),
  transferStablecoin: starter('transferStablecoin', orderSchemas.transferStablecoin),
  deploymentSequence: starter('deploymentSequence', orderSchemas.deploymentSequence),
  transferSequence: starter('transferSequence', orderSchemas.transferSequence),
};
