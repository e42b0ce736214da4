import type { Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import type { LineResult } from '../../orders/payout';

const keptMax = 8;

/** Reads the lines of payouts. Once a payout has completed, all of them have ended, and are kept. */
export function keepingLines({ payoutLines }: Pick<Steadfast, 'payoutLines'>) {
  const kept = new Map<string, readonly LineResult[]>();
  return async ({ workflowId, runId, execution }: OrderStatus): Promise<readonly LineResult[]> => {
    const known = kept.get(runId);
    if (known !== undefined) return known;
    const lines: LineResult[] = [];
    for await (const line of payoutLines(workflowId)) lines.push(line);
    // After a payout that was terminated, what was sent goes on to settle.
    if (execution !== 'COMPLETED') return lines;
    const [oldest] = kept.keys();
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(runId, lines);
    return lines;
  };
}
