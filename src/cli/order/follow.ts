import { OrderError, type OrderKind, type Started, type Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import type { Progress } from '../../orders/progress/status';
import type { StopReason } from '../interruption';
import { progressLine } from '../show/progressLine';
import { showProgress } from '../show/tellStatus';
import type { Voice } from '../show/voice';

/** The reason that waiting for an order ended, with its data. */
export type FollowEnd =
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
  /** The wallets of a payout in words. */
  payers?: string | undefined;
};

/** Waits for the receipt and shows progress. Stops waiting when the order needs an operator. */
export async function follow(following: Following): Promise<FollowEnd> {
  const { started, voice, stopped } = following;
  const line = progressLine(voice);
  const watch = { isOver: false };
  try {
    return await Promise.race([
      started
        .receipt({ timeoutMs: Infinity })
        .then((receipt): FollowEnd => ({ end: 'done', receipt }), endOf),
      untilParked(following, { line, watch }),
      stopped.then((why): FollowEnd => ({ end: 'stoppedWaiting', why })),
    ]);
  } finally {
    watch.isOver = true;
    line.clear();
  }
}

function endOf(error: unknown): FollowEnd {
  if (error instanceof OrderError) return { end: error.outcome, error };
  // The connection to Temporal ended. The order goes on.
  return { end: 'stoppedWaiting', why: 'connectionLost' };
}

async function untilParked(
  following: Following,
  looking: { line: ReturnType<typeof progressLine>; watch: { isOver: boolean } },
): Promise<FollowEnd> {
  const { steadfast, id } = following;
  while (!looking.watch.isOver) {
    // A failed poll is ignored: the receipt reports a lost connection.
    const status = await steadfast.status(id).catch(() => undefined);
    if (looking.watch.isOver) break;
    if (status?.execution === 'RUNNING') showProgress(looking.line, status, following.payers);
    const parked = parkedAs(status);
    if (parked !== undefined && status?.progress !== undefined && !isBusy(status.progress)) {
      return { end: parked, progress: status.progress };
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return new Promise(() => {});
}

/** A payout with an unknown line goes on with the other lines. */
function isBusy({ status, payout }: Progress): boolean {
  return status === 'Unknown' && payout !== undefined && payout.waiting > 0;
}

/** The state in which an order waits for an operator, if it does. */
export function parkedAs(status: OrderStatus | undefined): 'unknown' | 'needsOperator' | undefined {
  if (status?.execution !== 'RUNNING') return undefined;
  if (status.progress?.status === 'Unknown') return 'unknown';
  const isHeld = ['NeedsOperator', 'NeedsApproval'].includes(status.progress?.status ?? '');
  return isHeld ? 'needsOperator' : undefined;
}
