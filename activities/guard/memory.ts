import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { type PayoutSeal, payoutSeal } from '../../src/orders/payout';
import { memoryKey } from '../../src/orders/progress/status';

/** Facts that a run writes into its memo. Later runs of the same id compare them. */
const memorySchema = z.object({
  fingerprint: z.string(),
  money: z.record(z.string(), z.unknown()),
  baseUrl: z.string(),
  blockchain: z.string(),
  generations: z.record(z.string(), z.number()),
  /** The number of times a cancelled payout was continued. */
  continued: z.number().optional(),
  /** Amounts, by item, that the order decided on its way and that must stay as they are. */
  amounts: z.record(z.string(), z.string()).optional(),
  /** Transactions that people have found, as answers of the service, by "<step>/<item>#<generation>". */
  findings: z.record(z.string(), z.unknown()).optional(),
});
export type Memory = z.output<typeof memorySchema>;

/** Transactions that people have found, by the writes that they stand for. */
export type Findings = NonNullable<Memory['findings']>;

/**
 * The facts in a run's memo. Undefined if they are missing or incomplete. Anybody may write a memo
 * for a workflow of another type, whose result is no receipt.
 */
export function memoryOf({ memo, type }: WorkflowExecutionDescription): Memory | undefined {
  const { data } = memorySchema.safeParse(memo?.[memoryKey]);
  return data?.money.kind === type ? data : undefined;
}

/** The decisions of people in a run: new attempts, and continuations after a cancellation. */
export type Decided = Pick<Memory, 'generations' | 'continued'>;

/** True if somebody decided on more since an earlier run. */
export function hasNewDecision(earlier: Decided, now: Decided): boolean {
  return isRaised(earlier, now) || isContinued(earlier, now);
}

/** True if somebody decided on a new attempt. */
export function isRaised(earlier: Decided, now: Decided): boolean {
  return Object.entries(now.generations).some(
    ([path, generation]) => generation > (earlier.generations[path] ?? 0),
  );
}

/** True if somebody decided to pay the lines that an earlier run has left. */
export function isContinued(
  { continued: before = 0 }: Decided,
  { continued = 0 }: Decided,
): boolean {
  return continued > before;
}

/** The decisions of both. */
export function decidedBy(one: Decided, other: Decided): Decided {
  const continued = Math.max(one.continued ?? 0, other.continued ?? 0);
  const generations = highest(one.generations, other.generations);
  return { generations, ...(continued > 0 && { continued }) };
}

/** The higher generation of each write. */
export function highest(
  one: Record<string, number>,
  other: Record<string, number>,
): Record<string, number> {
  const raised = Object.entries(other).map(([path, at]) => [path, Math.max(at, one[path] ?? 0)]);
  return { ...one, ...Object.fromEntries(raised) };
}

const cancelledSchema = z.object({ end: z.object({ sealed: payoutSeal }) });

/** The seal in the memo of a cancelled run. */
export function sealInMemo({ memo }: WorkflowExecutionDescription): PayoutSeal | undefined {
  return cancelledSchema.safeParse(memo?.[memoryKey]).data?.end.sealed;
}
