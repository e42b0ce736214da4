import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { type Progress, statuses } from '../orders/progress/status';

/** A worker that is away must not make a status hang. */
const queryTimeoutMs = 3_000;

const question = z.object({
  target: z.string(),
  statement: z.string(),
  rule: z.string(),
  need: z.number(),
  people: z.array(z.string()),
  given: z.array(z.string()),
  weighed: z.array(z.object({ digest: z.string(), fault: z.string().optional() })),
});

/** The part of a progress that is shown by its shape. Anybody in Temporal can answer the query. */
const shape = z.object({
  status: z.enum(statuses),
  timeline: z.array(z.object({ at: z.string(), words: z.string() })),
  waitingFor: z.string(),
  since: z.string(),
  paused: z.object({ reason: z.string(), since: z.string() }).optional(),
  exits: z.array(z.object({ when: z.string(), command: z.string() })).optional(),
  evidence: z.array(z.string()).optional(),
  approvals: z.array(question).optional(),
  payout: z.object({ lines: z.number(), waiting: z.number() }).optional(),
});

/** The progress that an order tells. Undefined where no worker answers, or the answer is none. */
export async function progressOf(
  client: Client,
  workflowId: string,
): Promise<Progress | undefined> {
  try {
    const told = await client.connection.withDeadline(Date.now() + queryTimeoutMs, () =>
      client.workflow.getHandle(workflowId).query<Progress>('progress'),
    );
    return shape.safeParse(told).success ? told : undefined;
  } catch {
    return undefined;
  }
}
