import { z } from 'zod';
import { type OverrideNote, overrideKey, overrideType } from '../../../orders/schedule/override';
import type { PeriodStart } from '../../../orders/schedule/schedule';
import type { NamedSchedule } from '../parts';

const note = z.object({
  period: z.string(),
  at: z.string(),
  order: z.string().optional(),
  sum: z.record(z.string(), z.string()).optional(),
});

/**
 * The overrides of a schedule that have not started, by their times. Temporal's visibility shows
 * them: a second or so behind.
 */
export async function overridesOf(
  { client }: Pick<NamedSchedule, 'client'>,
  { idsBegin }: Pick<PeriodStart, 'idsBegin'>,
): Promise<OverrideNote[]> {
  const query =
    `WorkflowId STARTS_WITH '${idsBegin}:' AND WorkflowType = '${overrideType}' AND ` +
    "ExecutionStatus = 'Running'";
  const notes: OverrideNote[] = [];
  for await (const { memo } of client.workflow.list({ query })) {
    const read = note.safeParse(memo?.[overrideKey]);
    if (read.success) notes.push(read.data);
  }
  return notes.sort((one, other) => (one.at < other.at ? -1 : 1));
}
