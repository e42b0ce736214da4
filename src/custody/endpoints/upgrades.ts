import { z } from 'zod';
import { newScaCores } from '../objects/wallet';
import { type Endpoint, gas, id, idempotencyKey, refId, write } from './endpoint';

/** Changes of what a smart account runs. */
export const upgrades = {
  upgradeWallet: {
    ...write,
    path: '/developer/transactions/walletUpgrade',
    input: z.strictObject({
      idempotencyKey,
      walletId: id,
      newScaCore: z.enum(newScaCores),
      ...gas,
      refId,
    }),
    output: z.object({ id: z.string(), state: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
