import type { TreeLine } from '../../writer/signing/lineTree';
import type { ConsoleParts } from '../parts';
import { keepingLines } from '../payouts/linesKept';
import { type Changes, changesBetween } from './changes';

/** Payouts that a page offers to compare with. */
const offeredMax = 20;

/** The changes since an earlier payout, and the payouts that may be compared with instead. */
export type Compared = { beside: string; others: string[]; changes: Changes };

/**
 * Compares the lines of a payout with an earlier one. A reader names that, or it is the newest one
 * whose id differs in digits alone. Undefined where there is none.
 */
export function comparing({ steadfast, isOwn }: ConsoleParts) {
  const linesOf = keepingLines(steadfast);
  return async (
    id: string,
    lines: readonly TreeLine[],
    wanted: string,
  ): Promise<Compared | undefined> => {
    if (lines.length === 0) return undefined;
    const listed = await steadfast.list({ kind: 'payout', limit: offeredMax });
    const earlier = listed.filter(({ workflowId }) => workflowId !== id && isOwn(workflowId));
    const likely = earlier.find(({ workflowId }) => familyOf(workflowId) === familyOf(id));
    const chosen = earlier.find(({ workflowId }) => workflowId === wanted) ?? likely;
    const others = earlier.map(({ workflowId }) => workflowId);
    if (chosen === undefined) return others.length === 0 ? undefined : nothing(others);
    const changes = changesBetween(await linesOf(chosen), lines);
    return { beside: chosen.workflowId, others, changes };
  };
}

function nothing(others: string[]): Compared {
  return { beside: '', others, changes: { changes: [], same: 0 } };
}

/** "payout:salaries-2026-11" and "payout:salaries-2026-12" are of one family. */
function familyOf(id: string): string {
  return id.replace(/\d+/g, '#');
}
