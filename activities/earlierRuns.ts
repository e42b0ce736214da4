import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { differences } from '../src/orders/money';
import { memoryKey } from '../src/orders/status';
import type { FailureType } from './attempt';

/** What a run writes into its memo, for any later run of the same id to compare. */
export type Memory = {
  fingerprint: string;
  money: Record<string, unknown>;
  baseUrl: string;
  blockchain: string;
};

/** The memo's entry, as another version may have written it. */
const memorySchema = z.object({
  fingerprint: z.string(),
  money: z.record(z.string(), z.unknown()),
  baseUrl: z.string(),
  blockchain: z.string(),
});

export type EarlierRuns = {
  /** The receipt of an earlier run, as that run returned it. */
  completed?: unknown;
  earlierTries: 'clean' | 'ambiguous';
  bornAtMs: number;
};

/**
 * Holds an order against the earlier runs of its workflow id, since any starter in any language
 * may have started it with any reuse policy. Other money fields are refused; a completed run's
 * result is returned; a cancelled order stays cancelled unless it was resubmitted.
 */
export async function readEarlierRuns(now: {
  memory: Memory;
  resubmitted: boolean;
}): Promise<EarlierRuns> {
  const runs = await earlierRuns();
  let earlierTries: 'clean' | 'ambiguous' = 'clean';
  let bornAtMs = Date.now();
  for (const run of runs) {
    const memory = memorySchema.safeParse(run.memo?.[memoryKey]);
    // A run without a memory never got past this guard, so it sent nothing.
    if (!memory.success) continue;
    refuseOtherPlace(memory.data, now.memory);
    refuseOtherMoney(memory.data, now.memory);
    if (run.status.name === 'COMPLETED') {
      const completed = await resultOf(run);
      return { completed, earlierTries, bornAtMs };
    }
    if (run.status.name === 'CANCELLED' && !now.resubmitted) refuseCancelled(run);
    bornAtMs = Math.min(bornAtMs, run.startTime.getTime());
    if (!(await endedRefused(run))) earlierTries = 'ambiguous';
  }
  return { earlierTries, bornAtMs };
}

/** Earlier runs of this workflow id that Temporal still knows, newest first. */
async function earlierRuns(): Promise<WorkflowExecutionDescription[]> {
  const { client, info } = Context.current();
  const execution = info.workflowExecution;
  if (execution === undefined) return [];
  const query = `WorkflowId = '${execution.workflowId.replaceAll("'", "''")}'`;
  const runs: WorkflowExecutionDescription[] = [];
  for await (const { runId } of client.workflow.list({ query })) {
    if (runId === execution.runId) continue;
    // The list lags behind; the description does not.
    const run = await client.workflow.getHandle(execution.workflowId, runId).describe();
    if (run.status.name !== 'CONTINUED_AS_NEW') runs.push(run);
  }
  return runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

async function resultOf(run: WorkflowExecutionDescription): Promise<unknown> {
  const { client } = Context.current();
  return client.workflow.getHandle(run.workflowId, run.runId).result();
}

/** True when the run ended in a refusal, which proves that nothing was left in the air. */
async function endedRefused(run: WorkflowExecutionDescription): Promise<boolean> {
  if (run.status.name !== 'FAILED') return false;
  try {
    await resultOf(run);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof ApplicationFailure && cause.type === ('Refused' satisfies FailureType);
  }
  return false;
}

function refuseOtherPlace(earlier: Memory, now: Memory): void {
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

function refuseOtherMoney(earlier: Memory, now: Memory): void {
  if (earlier.fingerprint === now.fingerprint) return;
  throw stop(
    'Refused',
    'This id was used for another order: ' +
      `${differences(earlier.money, now.money).join('; ')}. Use another id for another order.`,
  );
}

function refuseCancelled(run: WorkflowExecutionDescription): void {
  throw stop(
    'Refused',
    `This order was cancelled in run ${run.runId}. To send it after all, resubmit it.`,
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
