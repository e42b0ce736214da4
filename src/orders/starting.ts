import { isRecord } from '../custody/isRecord';
import { describeOrder } from './describe';
import { BadOrderError } from './input/read';
import type { OrderKind, ReadOrder } from './kinds';
import { moneyFields, sureDifferences } from './money';
import { otherPayout } from './payout/otherPayout';
import { type AttributeName, memoryKey } from './progress/status';

/** Input of an order's workflow, for every starter: a caller or a schedule. */
export function startingOf(kind: OrderKind, read: ReadOrder<OrderKind>) {
  const { summary, details } = describeOrder(kind, read);
  return {
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowIdConflictPolicy: 'FAIL',
    // The guard replaces it by the money with all names resolved.
    memo: { [memoryKey]: { money: moneyFields({ kind, order: read }) } },
    staticSummary: summary,
    staticDetails: details,
  } as const;
}

/** The search attributes of a new order, so that it is found before its guard has said more. */
export function firstPairs(kind: string) {
  const keyword = (name: AttributeName, value: string) => ({
    key: { name, type: 'KEYWORD' as const },
    value,
  });
  return [keyword('SteadfastStatus', 'Preparing'), keyword('SteadfastKind', kind)];
}

/** The part of Temporal's description that matters of a run with an order's id. */
type Run = { workflowId: string; memo?: Record<string, unknown> | undefined };

type Compared = {
  kind: OrderKind;
  read: ReadOrder<OrderKind>;
  /** Reads the order of the run. A memo has no room for its lines and wallets. */
  before: () => Promise<unknown>;
};

/**
 * Compares an order with the one in the memo of a run of its id. The first starter wrote that memo,
 * and the guard replaces it soon after. Throws a BadOrderError if the orders differ.
 */
export async function refuseOtherOrder(run: Run, { kind, read, before }: Compared): Promise<void> {
  const now = moneyFields({ kind, order: read });
  const memory = run.memo?.[memoryKey];
  const earlier = isRecord(memory) && isRecord(memory.money) ? memory.money : now;
  if (sureDifferences(earlier, now).length === 0) return;
  const { told, way } = await otherPayout(read, before);
  const faults = sureDifferences(earlier, now, told);
  throw new BadOrderError(
    `id: "${run.workflowId}" belongs to another order: ${faults.join('; ')}. ${way}`,
  );
}
