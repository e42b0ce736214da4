import type { OrderKind, Started, Steadfast } from '../../client/client';
import { readPayoutReceipt } from '../payout/tellPayout';
import type { FollowEnd } from './follow';

type Asked = {
  steadfast: Pick<Steadfast, 'payoutLines'>;
  id: string;
  started: Pick<Started<OrderKind>, 'outcome'>;
  end: FollowEnd;
  /** The time at which the command began. */
  beganMs: number;
};

/** Number of milliseconds by which clocks may differ. Temporal remembers an order for longer. */
const clockGapMs = 3_600_000;

/**
 * The time at which the last payment of an order settled, if that was before the command that has
 * started it. Temporal may have forgotten its earlier run. Undefined if anything was sent now.
 */
export async function settledBefore(asked: Asked): Promise<string | undefined> {
  const { started, end, beganMs } = asked;
  if (started.outcome !== 'started' || end.end !== 'done') return undefined;
  let lastMs = 0;
  for await (const time of timesOf(end.receipt, asked)) {
    const settledMs = Date.parse(time);
    if (!(settledMs < beganMs - clockGapMs)) return undefined;
    lastMs = Math.max(lastMs, settledMs);
  }
  return lastMs === 0 ? undefined : new Date(lastMs).toISOString();
}

/** The times of all that a receipt says was settled. Empty for one that is not known. */
async function* timesOf(
  receipt: object,
  { steadfast, id }: Pick<Asked, 'steadfast' | 'id'>,
): AsyncGenerator<string> {
  if (readPayoutReceipt(receipt) === undefined) yield* timesIn(receipt);
  else {
    for await (const { outcome, settledAt = '' } of steadfast.payoutLines(id)) {
      if (outcome === 'paid') yield settledAt;
    }
  }
}

/** Each `settledAt`. What brought money to a wallet tells no time. */
function* timesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('source' in value && value.source !== 'none') yield '';
  for (const [name, field] of Object.entries(value)) {
    if (name === 'settledAt') yield String(field);
    else yield* timesIn(field);
  }
}
