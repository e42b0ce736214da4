import { z } from 'zod';
import { type Endpoint, read } from './endpoint';

/** The service itself: whether it is there, and which key secrets are encrypted for. */
export const configuration = {
  ping: {
    ...read,
    root: 'origin',
    path: '/ping',
    input: z.strictObject({}),
    output: z.object({ message: z.string() }),
  },
  getPublicKey: {
    ...read,
    path: '/config/entity/publicKey',
    input: z.strictObject({}),
    output: z.object({ publicKey: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
