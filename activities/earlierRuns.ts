import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { differences } from '../src/orders/money';
import { type PayoutReceipt, payoutReceipt } from '../src/orders/payout';
import { memoryKey } from '../src/orders/status';
import type { FailureType, Tries } from './attempt';

/** What a run writes into its memo, for any later run of the same id to compare. */
export type Memory = {
  fingerprint: string;
  money: Record<string, unknown>;
  baseUrl: string;
  blockchain: string;
  generations: Record<string, number>;
  /** What was decided in the course of the order, by item, and must not be decided otherwise. */
  amounts?: Record<string, string> | undefined;
  /** Of a shard: false until its payout lets it send, so that nothing of it can have been paid. */
  began?: boolean | undefined;
};

/** What the earlier runs of an id mean for this one. */
export type EarlierRuns = {
  /** The receipt of an earlier run, as that run returned it. */
  completed?: unknown;
  /** The same of a payout of which failed lines are to be attempted anew: it goes on from there. */
  goesOnFrom?: PayoutReceipt;
  /** When a first try under this order's keys can have been made. */
  bornAtMs: number;
  /** What earlier runs accounted for, by write: "<step>/<item>#<generation>". */
  writes: Record<string, Tries>;
  /** Amounts that an earlier run has decided upon, by item. */
  amounts?: Record<string, string>;
  /** What holds for every other write: ambiguous once a run has ended without an account. */
  others: Tries;
};

/** The memo's entry, as another version may have written it. */
const memorySchema = z.object({
  fingerprint: z.string(),
  money: z.record(z.string(), z.unknown()),
  baseUrl: z.string(),
  blockchain: z.string(),
  generations: z.record(z.string(), z.number()),
  amounts: z.record(z.string(), z.string()).optional(),
  began: z.boolean().optional(),
});

/** How a failed run says what it knows of its writes. */
const accountSchema = z.object({ writes: z.record(z.string(), z.enum(['clean', 'ambiguous'])) });

/**
 * Holds an order against the earlier runs of its workflow id, since any starter in any language
 * may have started it with any reuse policy. Another service, or other money fields, are refused; a
 * completed run's result is returned; a cancelled order stays cancelled.
 */
export async function readEarlierRuns(now: Memory, workflowId: string): Promise<EarlierRuns> {
  const found: EarlierRuns = { bornAtMs: Date.now(), writes: {}, others: 'clean' };
  const opened = (await earlierRuns(workflowId)).flatMap((run) => {
    const memory = memoryOf(run);
    // A run without a whole memory never got past this guard, so it sent nothing.
    return memory === undefined ? [] : [{ run, memory }];
  });
  for (const { memory } of opened) {
    refuseOtherPlace(memory, now);
    refuseOtherMoney(memory, now);
  }
  const completed = opened.find(({ run }) => run.status.name === 'COMPLETED');
  if (completed !== undefined) {
    const result = await resultOf(completed.run);
    const goesOn = now.money.kind === 'payout' && isDecided(completed.memory, now);
    if (!goesOn) return { ...found, completed: result };
    return { ...found, goesOnFrom: payoutReceipt.parse(result) };
  }
  for (const { run, memory } of opened) {
    if (run.status.name === 'CANCELLED') refuseCancelled(run, isDecided(memory, now));
    if (memory.amounts !== undefined) found.amounts = memory.amounts;
    found.bornAtMs = Math.min(found.bornAtMs, run.startTime.getTime());
    // The run that it went on as accounts for both.
    if (run.status.name === 'CONTINUED_AS_NEW') continue;
    const account = await accountOf(run);
    if (account === undefined) found.others = 'ambiguous';
    for (const [target, tries] of Object.entries(account ?? {})) {
      if (found.writes[target] !== 'ambiguous') found.writes[target] = tries;
    }
  }
  return found;
}

/**
 * Whether an earlier run of this id has completed, or may have sent something that is still under
 * way.
 */
export async function sentBefore(workflowId: string): Promise<'completed' | 'perhaps' | undefined> {
  let sent: 'perhaps' | undefined;
  for (const run of await earlierRuns(workflowId)) {
    const opened = memoryOf(run) !== undefined;
    if (opened && run.status.name === 'COMPLETED') return 'completed';
    const isOver = ['CANCELLED', 'CONTINUED_AS_NEW'].includes(run.status.name);
    if (!opened || isOver) continue;
    const account = await accountOf(run);
    if (account === undefined || Object.values(account).includes('ambiguous')) sent = 'perhaps';
  }
  return sent;
}

/** What a run has written into its memo; undefined where it has not, or not all of it. */
export function memoryOf({ memo }: WorkflowExecutionDescription): Memory | undefined {
  return memorySchema.safeParse(memo?.[memoryKey]).data;
}

/** Other runs of a workflow id that Temporal still knows, newest first. */
export async function earlierRuns(workflowId: string): Promise<WorkflowExecutionDescription[]> {
  const { client, info } = Context.current();
  const quoted = workflowId.replaceAll('\\', '\\\\').replaceAll("'", "''");
  const runs: WorkflowExecutionDescription[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${quoted}'` })) {
    if (runId === info.workflowExecution?.runId) continue;
    // The list lags behind; the description does not.
    runs.push(await client.workflow.getHandle(workflowId, runId).describe());
  }
  return runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

/** The result of that very run: following it would lead to the run that is being guarded. */
export async function resultOf(run: WorkflowExecutionDescription): Promise<unknown> {
  const { client } = Context.current();
  const { workflowId, runId } = run;
  return client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
}

/** What a failed run says of its writes; a run that ended from outside says nothing. */
async function accountOf(
  run: WorkflowExecutionDescription,
): Promise<Record<string, Tries> | undefined> {
  if (run.status.name === 'CANCELLED') {
    return z.object({ end: accountSchema }).safeParse(run.memo?.[memoryKey]).data?.end.writes;
  }
  if (run.status.name !== 'FAILED') return undefined;
  try {
    await resultOf(run);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) return undefined;
    return accountSchema.safeParse(cause.details?.[0]).data?.writes;
  }
  return undefined;
}

export function refuseOtherPlace(earlier: Memory, now: Memory): void {
  const places = (['baseUrl', 'blockchain'] as const)
    .filter((place) => earlier[place] !== now[place])
    .map((place) => `${place} was ${earlier[place]}, is ${now[place]}`);
  if (places.length === 0) return;
  throw stop(
    'NeedsOperator',
    `An earlier run of this id drove another service: ${places.join('; ')}. ` +
      'It is not known what it did there. Use the earlier settings, or another id.',
  );
}

export function refuseOtherMoney(earlier: Memory, now: Memory): void {
  if (earlier.fingerprint === now.fingerprint) return;
  throw stop(
    'Refused',
    'This id was used for another order: ' +
      `${differences(earlier.money, now.money).join('; ')}. Use another id for another order.`,
  );
}

/** Whether somebody has decided upon a new attempt since an earlier run. */
function isDecided(earlier: Memory, now: Memory): boolean {
  return Object.entries(now.generations).some(
    ([path, generation]) => generation > (earlier.generations[path] ?? 0),
  );
}

function refuseCancelled(run: WorkflowExecutionDescription, isResubmitted: boolean): void {
  if (isResubmitted) return;
  throw stop(
    'Refused',
    `This order was cancelled in run ${run.runId}. To send it after all, use another id, or ` +
      'resubmit it where the service had taken it.',
  );
}

function stop(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: true,
    details: [{ ambiguous: type === 'NeedsOperator' }],
  });
}
