import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Cast, type Hashes, idOf, type Play } from '../flows/flow';
import type { Lane } from '../lane';
import type { End } from './judge';

const hashes: z.ZodType<Hashes> = z.looseObject({
  txHash: z.string().optional(),
  supply: z.looseObject({ mintTxHash: z.string().optional() }).optional(),
});
const progress = z.object({ status: z.string(), waitingFor: z.string() });

const lookMs = 300;
const quickLookMs = 100;
/** Nobody waits longer for a moment to act in. */
const actMsMax = 150_000;
const queryMsMax = 3_000;

/** Waits for the end of an order and of its other workflows, at most until the deadline. */
export async function untilClosed(lane: Lane, cast: Cast, deadlineMs: number): Promise<End> {
  for (;;) {
    // Before the question: what ended before its caller started it again is not the end.
    const isUnfinished = cast.play.isUnfinished?.() === true;
    const end = await wholeEndOf(lane, cast).catch(() => undefined);
    const goesOn = end?.status === 'ENDED' && cast.play.isResubmitted === true;
    if (end !== undefined && !goesOn && !isUnfinished) return end;
    if (Date.now() > deadlineMs) {
      if (isUnfinished) return { status: 'RUNNING', why: 'its caller did not come to its end' };
      return end ?? { status: 'RUNNING', why: await whyRunning(lane, cast) };
    }
    await sleep(lookMs);
  }
}

/** Waits until an order is settling. False if it ends before. */
export async function untilSettling(lane: Lane, order: string): Promise<boolean> {
  for (const endMs = Date.now() + actMsMax; Date.now() < endMs; ) {
    const told = await progressOf(lane, order).catch(() => undefined);
    if (told?.status === 'Settling') return true;
    const end = await endOf(lane, order).catch(() => undefined);
    if (end !== undefined) return false;
    await sleep(quickLookMs);
  }
  return false;
}

/** Waits for the first end of an order. True if it failed. */
export async function untilFailed(lane: Lane, order: string): Promise<boolean> {
  for (const endMs = Date.now() + actMsMax; Date.now() < endMs; ) {
    const end = await endOf(lane, order).catch(() => undefined);
    if (end !== undefined) return end.status === 'ENDED';
    await sleep(quickLookMs);
  }
  return false;
}

/** The end of an order once all that must have ended with it has. */
async function wholeEndOf(lane: Lane, cast: Cast): Promise<End | undefined> {
  const { play } = cast;
  const end = await endOf(lane, idOf(cast), play);
  if (end?.status !== 'COMPLETED') return end;
  for (const id of play.others ?? []) {
    const { status } = await lane.observer.workflow.getHandle(id).describe();
    if (status.name === 'RUNNING') return undefined;
    if (status.name !== 'COMPLETED') return { status: 'ENDED', why: `${id} is ${status.name}` };
  }
  return end;
}

async function endOf(
  { observer }: Lane,
  order: string,
  { read = async (receipt) => hashes.parse(receipt) }: Pick<Play, 'read'> = {},
): Promise<End | undefined> {
  const handle = observer.workflow.getHandle(order);
  const { status } = await handle.describe();
  if (status.name === 'RUNNING') return undefined;
  if (status.name === 'COMPLETED') {
    return { status: 'COMPLETED', receipt: await read(await handle.result()) };
  }
  const why = await handle.result().then(String, wordsOf);
  return { status: status.name === 'CANCELLED' ? 'CANCELLED' : 'ENDED', why };
}

/** The order's own words about its wait. */
async function whyRunning(lane: Lane, cast: Cast): Promise<string> {
  const { others = [] } = cast.play;
  try {
    const { status, waitingFor } = await progressOf(lane, idOf(cast));
    const besides = others.length === 0 ? '' : `. Must end, too: ${others.join(' and ')}`;
    return `${status}, waiting for ${waitingFor}${besides}`;
  } catch (error) {
    return `it does not say why (${wordsOf(error)})`;
  }
}

/** The progress of an order. Throws if no worker answers soon. */
export async function progressOf({ observer }: Lane, order: string) {
  const handle = observer.workflow.getHandle(order);
  return observer.connection.withDeadline(Date.now() + queryMsMax, async () =>
    progress.parse(await handle.query('progress')),
  );
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
