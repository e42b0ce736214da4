import { z } from 'zod';
import { type Endpoint, readEndpoint, writeEndpoint } from './endpoint';

/** The service itself: whether it is there, and which key secrets are encrypted for. */
export const configuration = {
  ping: {
    ...readEndpoint,
    root: 'origin',
    path: '/ping',
    input: z.strictObject({}),
    output: z.object({ message: z.string() }),
  },
  getPublicKey: {
    ...readEndpoint,
    path: '/config/entity/publicKey',
    input: z.strictObject({}),
    output: z.object({ publicKey: z.string() }),
  },
  getEntityConfig: {
    ...readEndpoint,
    path: '/config/entity',
    input: z.strictObject({}),
    output: z.object({ appId: z.string() }),
  },
  /** Once, before any signed call. The recovery file is base64, for whoever loses the secret. */
  registerEntitySecret: {
    ...writeEndpoint,
    path: '/config/entity/entitySecret',
    signed: false,
    success: 200,
    input: z.strictObject({ entitySecretCiphertext: z.string() }),
    output: z.object({ recoveryFile: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
