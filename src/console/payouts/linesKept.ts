import type { Steadfast } from '../../client/client';
import type { ListedOrder } from '../../client/find/orderList';
import type { LineResult } from '../../orders/payout';

const keptMax = 8;

/** A payout as a list or its status tells it. */
type Payout = Pick<ListedOrder, 'workflowId' | 'execution' | 'closedAt'>;

/** Reads the lines of payouts. Once a payout has completed, all of them have ended, and are kept. */
export function keepingLines({ payoutLines }: Pick<Steadfast, 'payoutLines'>) {
  const kept = new Map<string, readonly LineResult[]>();
  return async ({ workflowId, execution, closedAt }: Payout): Promise<readonly LineResult[]> => {
    // A payout that is started again ends at another moment.
    const end = `${workflowId} ${closedAt}`;
    const known = kept.get(end);
    if (known !== undefined) return known;
    const lines: LineResult[] = [];
    for await (const line of payoutLines(workflowId)) lines.push(line);
    // After a payout that was terminated, what was sent goes on to settle.
    if (execution !== 'COMPLETED') return lines;
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(end, lines);
    return lines;
  };
}
