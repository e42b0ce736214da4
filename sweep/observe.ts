import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Cast, Hashes } from './flow';
import type { End } from './judge';
import type { Lane } from './lane';

const hashes: z.ZodType<Hashes> = z.looseObject({
  txHash: z.string().optional(),
  supply: z.looseObject({ mintTxHash: z.string().optional() }).optional(),
});
const progress = z.object({ status: z.string(), waitingFor: z.string() });

const lookMs = 300;
const queryMsMax = 3_000;

/** Waits until an order has ended, however often Temporal goes away, or until the deadline. */
export async function untilClosed(lane: Lane, cast: Cast, deadlineMs: number): Promise<End> {
  for (;;) {
    const end = await endOf(lane, cast.name).catch(() => undefined);
    const goesOn = end?.status === 'ENDED' && cast.play.isResubmitted === true;
    if (end !== undefined && !goesOn) return end;
    if (Date.now() > deadlineMs) {
      return end ?? { status: 'RUNNING', why: await whyRunning(lane, cast.name) };
    }
    await sleep(lookMs);
  }
}

async function endOf({ observer }: Lane, order: string): Promise<End | undefined> {
  const handle = observer.workflow.getHandle(order);
  const { status } = await handle.describe();
  if (status.name === 'RUNNING') return undefined;
  if (status.name === 'COMPLETED') {
    return { status: 'COMPLETED', receipt: hashes.parse(await handle.result()) };
  }
  const why = await handle.result().then(String, wordsOf);
  return { status: status.name === 'CANCELLED' ? 'CANCELLED' : 'ENDED', why };
}

/** What the order itself says it waits for. */
async function whyRunning({ observer }: Lane, order: string): Promise<string> {
  try {
    return await observer.connection.withDeadline(Date.now() + queryMsMax, async () => {
      const told = await observer.workflow.getHandle(order).query('progress');
      const { status, waitingFor } = progress.parse(told);
      return `${status}, waiting for ${waitingFor}`;
    });
  } catch (error) {
    return `it does not say why (${wordsOf(error)})`;
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
