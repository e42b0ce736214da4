import { OrderError, type OrderKind, type Started, type Steadfast } from '../client';
import type { OrderStatus } from '../orderStatus';
import type { Progress } from '../orders/status';
import type { StopReason } from './interruption';
import { progressLine } from './progressLine';
import { showProgress } from './tellStatus';
import type { Voice } from './voice';

/** How waiting for an order came to an end. */
export type End =
  | { end: 'done'; receipt: object }
  | { end: OrderError['outcome']; error: OrderError }
  | { end: 'unknown' | 'needsOperator'; progress: Progress }
  | { end: 'stoppedWaiting'; why: StopReason | 'connectionLost' };

const lookEveryMs = 1_000;

export type Following = {
  steadfast: Steadfast;
  started: Started<OrderKind>;
  id: string;
  voice: Voice;
  stopped: Promise<StopReason>;
};

/**
 * Waits for the receipt and shows what happens meanwhile. An order that stands still until somebody
 * acts is not waited for: it goes on by itself once that is done.
 */
export async function follow(following: Following): Promise<End> {
  const { started, voice, stopped } = following;
  const line = progressLine(voice);
  const watch = { isOver: false };
  try {
    return await Promise.race([
      started.receipt().then((receipt): End => ({ end: 'done', receipt }), endOf),
      untilParked(following, { line, watch }),
      stopped.then((why): End => ({ end: 'stoppedWaiting', why })),
    ]);
  } finally {
    watch.isOver = true;
    line.clear();
  }
}

function endOf(error: unknown): End {
  if (error instanceof OrderError) return { end: error.outcome, error };
  // Not the order's end but that of our view of it: Temporal went away.
  return { end: 'stoppedWaiting', why: 'connectionLost' };
}

async function untilParked(
  following: Following,
  looking: { line: ReturnType<typeof progressLine>; watch: { isOver: boolean } },
): Promise<End> {
  const { steadfast, id } = following;
  while (!looking.watch.isOver) {
    const status = await statusOf(steadfast, id);
    if (looking.watch.isOver) break;
    if (status?.execution === 'RUNNING') showProgress(looking.line, status);
    const parked = parkedAs(status);
    if (parked !== undefined && status?.progress !== undefined && !isBusy(status.progress)) {
      return { end: parked, progress: status.progress };
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return new Promise(() => {});
}

/** A look that fails is no news: the receipt tells when Temporal is gone for good. */
async function statusOf(steadfast: Steadfast, id: string): Promise<OrderStatus | undefined> {
  try {
    return await steadfast.status(id);
  } catch {
    return undefined;
  }
}

/** A payout of which one line is unknown goes on with the others. */
function isBusy({ status, payout }: Progress): boolean {
  return status === 'Unknown' && payout !== undefined && payout.waiting > 0;
}

/** Whether an order stands still until somebody acts. */
export function parkedAs(status: OrderStatus | undefined): 'unknown' | 'needsOperator' | undefined {
  if (status?.execution !== 'RUNNING') return undefined;
  if (status.progress?.status === 'Unknown') return 'unknown';
  return status.progress?.status === 'NeedsOperator' ? 'needsOperator' : undefined;
}
