import type { Steadfast } from '../../client/client';
import type { ListedOrder } from '../../client/find/orderList';
import type { LineResult } from '../../orders/payout';

const keptMax = 8;
/** Lines that still change are kept for this long, so that many pages read them once. */
const changingMs = 1_000;

/** A payout as a list or its status tells it. */
type Payout = Pick<ListedOrder, 'workflowId' | 'execution' | 'closedAt'>;
type Lines = readonly LineResult[];

/**
 * Reads the lines of payouts. Pages that ask at the same time share one reading. Once a payout has
 * completed, all of its lines have ended, and are kept.
 */
export function keepingLines(
  { payoutLines }: Pick<Steadfast, 'payoutLines'>,
  now: () => number = Date.now,
) {
  const kept = new Map<string, { lines: Promise<Lines>; untilMs: number }>();
  const read = async (workflowId: string): Promise<Lines> => {
    const lines: LineResult[] = [];
    for await (const line of payoutLines(workflowId)) lines.push(line);
    return lines;
  };
  return async ({ workflowId, execution, closedAt }: Payout): Promise<Lines> => {
    // A payout that is started again ends at another moment.
    const end = `${workflowId} ${closedAt}`;
    const known = kept.get(end);
    if (known !== undefined && known.untilMs > now()) return known.lines;
    const reading = { lines: read(workflowId), untilMs: Number.POSITIVE_INFINITY };
    kept.delete(end);
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(end, reading);
    try {
      return await reading.lines;
    } catch (error) {
      if (kept.get(end) === reading) kept.delete(end);
      throw error;
    } finally {
      // After a payout that was terminated, what was sent goes on to settle.
      if (execution !== 'COMPLETED') reading.untilMs = now() + changingMs;
    }
  };
}
