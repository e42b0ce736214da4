import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { differences } from '../../src/orders/money';
import { type PayoutReceipt, payoutReceipt } from '../../src/orders/payout';
import { memoryKey } from '../../src/orders/progress/status';
import type { FailureType, Tries } from '../attempt';

/** Facts that a run writes into its memo. Later runs of the same id compare them. */
export type Memory = {
  fingerprint: string;
  money: Record<string, unknown>;
  baseUrl: string;
  blockchain: string;
  generations: Record<string, number>;
  /** Amounts, by item, that the order decided on its way and that must stay as they are. */
  amounts?: Record<string, string> | undefined;
  /** Of a shard: false until its payout lets it send. Before that it cannot have paid anything. */
  began?: boolean | undefined;
};

/** Findings on the earlier runs of an id that matter to this one. */
export type EarlierRuns = {
  /** The receipt of an earlier run, as that run returned it. */
  completed?: unknown;
  /** Receipt of a payout whose failed lines are to be retried. This run goes on from it. */
  goesOnFrom?: PayoutReceipt;
  /** Earliest time of a first attempt under this order's keys. */
  bornAtMs: number;
  /** Writes in the write logs of earlier runs: "<step>/<item>#<generation>". */
  writes: Record<string, Tries>;
  /** Amounts, by item, that an earlier run decided. */
  amounts?: Record<string, string>;
  /** State of every other write. Ambiguous once a run ended without a write log. */
  others: Tries;
  /** The highest generation of each write that an earlier run may have sent. */
  generations?: Record<string, number>;
};

/** The memo's entry. Another version may have written it. */
const memorySchema = z.object({
  fingerprint: z.string(),
  money: z.record(z.string(), z.unknown()),
  baseUrl: z.string(),
  blockchain: z.string(),
  generations: z.record(z.string(), z.number()),
  amounts: z.record(z.string(), z.string()).optional(),
  began: z.boolean().optional(),
});

/** A failed run's write log. */
const writeLogSchema = z.object({ writes: z.record(z.string(), z.enum(['clean', 'ambiguous'])) });

/**
 * Compares an order with the earlier runs of its workflow id, since any starter may use any reuse
 * policy. Refuses another service or other money fields. Returns a completed run's result. A
 * cancelled order stays cancelled.
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
    // The run that it continued as answers for both.
    if (run.status.name === 'CONTINUED_AS_NEW') continue;
    const writeLog = await writeLogOf(run);
    if (writeLog === undefined) {
      found.others = 'ambiguous';
      found.generations = highest(found.generations, memory.generations);
    }
    found.generations = highest(found.generations, sentIn(writeLog ?? {}));
    for (const [target, tries] of Object.entries(writeLog ?? {})) {
      if (found.writes[target] !== 'ambiguous') found.writes[target] = tries;
    }
  }
  return found;
}

/** The generations in a write log that may have been sent. */
function sentIn(writeLog: Record<string, Tries>): Record<string, number> {
  const sent = Object.entries(writeLog).filter(([, tries]) => tries === 'ambiguous');
  return Object.fromEntries(
    sent.map(([target]) => {
      const [path = '', generation] = target.split('#');
      return [path, Number(generation)];
    }),
  );
}

/** The higher generation of each write. */
export function highest(
  one: Record<string, number> = {},
  other: Record<string, number> = {},
): Record<string, number> {
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    paths.map((path) => [path, Math.max(one[path] ?? 0, other[path] ?? 0)]),
  );
}

/**
 * Tells if an earlier run of this id has completed, or may have sent something that is still
 * pending.
 */
export async function sentBefore(workflowId: string): Promise<'completed' | 'perhaps' | undefined> {
  let sent: 'perhaps' | undefined;
  for (const run of await earlierRuns(workflowId)) {
    const opened = memoryOf(run) !== undefined;
    if (opened && run.status.name === 'COMPLETED') return 'completed';
    const isOver = ['CANCELLED', 'CONTINUED_AS_NEW'].includes(run.status.name);
    if (!opened || isOver) continue;
    const writeLog = await writeLogOf(run);
    if (writeLog === undefined || Object.values(writeLog).includes('ambiguous')) sent = 'perhaps';
  }
  return sent;
}

/** The facts in a run's memo. Undefined if they are missing or incomplete. */
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
    // The list lags behind. The description does not.
    runs.push(await client.workflow.getHandle(workflowId, runId).describe());
  }
  return runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

/** The result of this run alone. Following it would lead to the run that is being guarded. */
export async function resultOf(run: WorkflowExecutionDescription): Promise<unknown> {
  const { client } = Context.current();
  const { workflowId, runId } = run;
  return client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
}

/** A failed run's write log. A run that was ended from outside has none. */
async function writeLogOf(
  run: WorkflowExecutionDescription,
): Promise<Record<string, Tries> | undefined> {
  if (run.status.name === 'CANCELLED') {
    return z.object({ end: writeLogSchema }).safeParse(run.memo?.[memoryKey]).data?.end.writes;
  }
  if (run.status.name !== 'FAILED') return undefined;
  try {
    await resultOf(run);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) return undefined;
    return writeLogSchema.safeParse(cause.details?.[0]).data?.writes;
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

/** True if somebody decided on a new attempt since an earlier run. */
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
