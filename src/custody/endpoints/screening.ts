import { z } from 'zod';
import { addressText, type Endpoint, idempotencyKeySchema, writeEndpoint } from './endpoint';

/** The risk of an address, as the service's screening sees it. */
export const screening = {
  /** The `result` knows no review: that is among the actions of the decision. */
  screenAddress: {
    ...writeEndpoint,
    path: '/compliance/screening/addresses',
    signed: false,
    success: 200,
    input: z.strictObject({
      idempotencyKey: idempotencyKeySchema,
      address: addressText,
      chain: z.string(),
    }),
    output: z.object({
      result: z.string(),
      decision: z.object({
        screeningDate: z.string(),
        ruleName: z.string().optional(),
        actions: z.array(z.string()).optional(),
        reasons: z.array(z.unknown()).optional(),
      }),
      id: z.string(),
      address: z.string(),
      chain: z.string(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
