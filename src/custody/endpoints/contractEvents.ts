import { z } from 'zod';
import { eventLogSchema, eventMonitorSchema } from '../objects/contractEvent';
import {
  addressText,
  contractBlockchain as blockchain,
  type Endpoint,
  id,
  idempotencyKeySchema,
  nothing,
  page,
  readEndpoint,
  writeEndpoint,
} from './endpoint';

const unsigned = { ...writeEndpoint, signed: false } as const;
const monitored = { contractAddress: addressText, eventSignature: z.string().min(1).max(1_000) };

/** Monitors of events that contracts emit, and the logs that those have seen. */
export const contractEvents = {
  createEventMonitor: {
    ...unsigned,
    path: '/contracts/monitors',
    input: z.strictObject({ idempotencyKey: idempotencyKeySchema, blockchain, ...monitored }),
    output: z.object({ eventMonitor: eventMonitorSchema }),
  },
  listEventMonitors: {
    ...readEndpoint,
    path: '/contracts/monitors',
    input: z.strictObject({
      contractAddress: addressText.optional(),
      blockchain: blockchain.optional(),
      eventSignature: z.string().optional(),
      ...page,
    }),
    output: z.object({ eventMonitors: z.array(eventMonitorSchema) }),
  },
  updateEventMonitor: {
    ...unsigned,
    method: 'PUT',
    success: 200,
    path: '/contracts/monitors/:id',
    input: z.strictObject({ id, isEnabled: z.boolean() }),
    output: z.object({ eventMonitor: eventMonitorSchema }),
  },
  deleteEventMonitor: {
    ...unsigned,
    method: 'DELETE',
    success: 200,
    path: '/contracts/monitors/:id',
    input: z.strictObject({ id }),
    output: nothing,
  },
  listEventLogs: {
    ...readEndpoint,
    path: '/contracts/events',
    input: z.strictObject({
      contractAddress: addressText.optional(),
      blockchain: blockchain.optional(),
      ...page,
    }),
    output: z.object({ eventLogs: z.array(eventLogSchema) }),
  },
} as const satisfies Record<string, Endpoint>;
