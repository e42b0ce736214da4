import { z } from 'zod';
import {
  notificationKeySchema,
  notificationTypes,
  subscriptionSchema,
} from '../objects/subscription';
import { type Endpoint, id, nothing, readEndpoint, writeEndpoint } from './endpoint';

const path = '/v2/notifications/subscriptions';

/** The common fields of all writes here: unsigned, without a key, and never 201. */
const change = { ...writeEndpoint, root: 'origin', signed: false, success: 200 } as const;

/** Webhooks: who is told of what, and the key that notices are signed with. */
export const notifications = {
  createSubscription: {
    ...change,
    path,
    input: z.strictObject({
      endpoint: z.string().min(1).max(2_000),
      notificationTypes: z.array(z.enum(notificationTypes)).max(100).optional(),
    }),
    output: subscriptionSchema,
  },
  listSubscriptions: {
    ...readEndpoint,
    root: 'origin',
    path,
    input: z.strictObject({}),
    output: z.array(subscriptionSchema),
  },
  getSubscription: {
    ...readEndpoint,
    root: 'origin',
    path: `${path}/:id`,
    input: z.strictObject({ id }),
    output: subscriptionSchema,
  },
  updateSubscription: {
    ...change,
    method: 'PATCH',
    path: `${path}/:id`,
    input: z.strictObject({ id, name: z.string().max(255), enabled: z.boolean() }),
    output: subscriptionSchema,
  },
  deleteSubscription: {
    ...change,
    method: 'DELETE',
    path: `${path}/:id`,
    success: 204,
    input: z.strictObject({ id }),
    output: nothing,
  },
  getNotificationSignature: {
    ...readEndpoint,
    root: 'origin',
    path: '/v2/notifications/publicKey/:id',
    input: z.strictObject({ id }),
    output: notificationKeySchema,
  },
} as const satisfies Record<string, Endpoint>;
