import type { ListedOrder } from '../../client/find/orderList';
import type { LineResult } from '../../orders/payout';
import type { TreeLine } from '../../writer/signing/lineTree';
import type { ConsoleParts } from '../parts';
import { keepingLines } from '../payouts/linesKept';
import { Refusal } from '../refusal';
import { failureWords } from '../watch/failureWords';
import { type Changes, changesBetween } from './changes';

/** Payouts that are looked at, and payouts that a page offers to compare with. */
const [listedMax, offeredMax] = [200, 20];
/** Payouts of the same family that are read until one of them has paid something. */
const likelyMax = 3;

/** The payout that people are asked about, and the id of the payout that a reader names. */
type Asked = { id: string; startedAt: string; lines: readonly TreeLine[]; wanted: string };

/**
 * The changes since an earlier payout, the payouts that may be compared with instead, and the
 * reason where nothing could be compared.
 */
export type PayoutComparison = {
  beside: string;
  others: string[];
  changes?: Changes;
  fault?: string;
};

type Earlier = Pick<ListedOrder, 'workflowId' | 'kind' | 'startedAt' | 'execution' | 'closedAt'>;

/**
 * Compares the lines of a payout with the paid ones of an earlier one. A reader names that, or it
 * is the newest one whose id differs in digits alone. Undefined where there is none. A fault is
 * told in words, since people decide without a comparison as well.
 */
export function comparing({ steadfast, isOwn, keyScope: scope }: ConsoleParts) {
  const linesOf = keepingLines(steadfast);
  const paidBy = async (payout: Earlier): Promise<LineResult[]> =>
    (await linesOf(payout)).filter(({ outcome }) => outcome === 'paid');
  const isEarlier = (one: Earlier, { id, startedAt }: Asked): boolean =>
    one.kind === 'payout' &&
    one.workflowId !== id &&
    isOwn(one.workflowId) &&
    Date.parse(one.startedAt) < Date.parse(startedAt);

  const named = async (asked: Asked, earlier: readonly Earlier[]) => {
    const { wanted } = asked;
    // The name of an order of another scope is asked nothing.
    const read = async () => (isOwn(wanted) ? steadfast.status(wanted) : undefined);
    const found = earlier.find(({ workflowId }) => workflowId === wanted) ?? (await read());
    if (found === undefined || !isEarlier(found, asked)) {
      throw new Refusal(404, `${wanted} is no earlier payout. Choose another one.`);
    }
    const paid = await paidBy(found);
    if (paid.length > 0) return { beside: wanted, paid };
    throw new Refusal(404, `${wanted} has paid no line. Choose another payout.`);
  };
  const likely = async (earlier: readonly Earlier[], { id }: Asked) => {
    const family = earlier.filter(({ workflowId }) => familyOf(workflowId) === familyOf(id));
    for (const one of family.slice(0, likelyMax)) {
      // Anybody in Temporal can start a payout that answers nothing.
      const paid = await paidBy(one).catch(() => []);
      if (paid.length > 0) return { beside: one.workflowId, paid };
    }
    return undefined;
  };

  return async (asked: Asked): Promise<PayoutComparison | undefined> => {
    const { lines, wanted } = asked;
    if (lines.length === 0) return undefined;
    const offered = new Set(wanted === '' ? [] : [wanted]);
    try {
      const listed = await steadfast.list({ kind: 'payout', limit: listedMax, scope });
      const earlier = byId(listed).filter((one) => isEarlier(one, asked));
      for (const { workflowId } of earlier.slice(0, offeredMax)) offered.add(workflowId);
      const chosen = await (wanted === '' ? likely(earlier, asked) : named(asked, earlier));
      const others = [...offered];
      if (chosen !== undefined) {
        return { beside: chosen.beside, others, changes: changesBetween(chosen.paid, lines) };
      }
      return others.length === 0 ? undefined : { beside: '', others };
    } catch (error) {
      return { beside: wanted, others: [...offered], fault: failureWords(error) };
    }
  };
}

/** Payouts by their ids, of runs that come newest first. A payout began with its first run. */
function byId(runs: readonly Earlier[]): Earlier[] {
  const found = new Map<string, Earlier>();
  for (const run of runs) {
    const newest = found.get(run.workflowId) ?? run;
    found.set(run.workflowId, { ...newest, startedAt: run.startedAt });
  }
  return [...found.values()];
}

/** "payout:salaries-2026-11" and "payout:salaries-2026-12" are of one family. */
function familyOf(id: string): string {
  return id.replace(/\d+/g, '#');
}
