import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { inputOf } from '../../src/client/temporal/inputOf';
import { runsBeside } from '../../src/client/temporal/runsOf';
import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import { moneyDifferences } from '../../src/orders/money';
import { type PayoutReceipt, type PayoutSeal, payoutReceipt } from '../../src/orders/payout';
import { otherPayout } from '../../src/orders/payout/otherPayout';
import { memoryKey } from '../../src/orders/progress/status';
import type { Tries } from '../attempt';
import { refusing, stop } from '../failure';
import {
  type Decided,
  decidedBy,
  type Findings,
  hasNewDecision,
  highest,
  isContinued,
  isRaised,
  type Memory,
  memoryOf,
  sealInMemo,
} from './memory';

/** Facts from the earlier runs of an id that matter to this one. */
export type EarlierRuns = {
  /** Receipt of a payout whose failed lines are to be retried. This run goes on from it. */
  goesOnFrom?: PayoutReceipt;
  /** True if this run pays the lines that the cancellation of an earlier one has left. */
  continues?: boolean;
  /** True if this run goes on from a receipt, and retries lines. */
  retries?: boolean;
  /** The seal of a payout that was cancelled before it had paid anything. */
  sealed?: PayoutSeal | undefined;
  /** Earliest time of a first attempt under this order's keys. */
  bornAtMs: number;
  /** When the first run began that Temporal knows. Undefined: it knows none. */
  ranSinceMs?: number | undefined;
  /** Writes in the write logs of earlier runs: "<step>/<item>#<generation>". */
  writes: Record<string, Tries>;
  /** Amounts, by item, that an earlier run decided. */
  amounts?: Record<string, string> | undefined;
  /** Since when the service calls operations failed, as the first run that heard it tells. */
  heard?: HeardFailures | undefined;
  /** Transactions that people have found in earlier runs. */
  findings?: Findings | undefined;
  /** State of every other write. Ambiguous once a run ended without a write log. */
  others: Tries;
  /** The highest generation of each write that an earlier run may have sent. */
  generations: Record<string, number>;
};

const heardSchema = z.object({ id: z.string(), userOpHash: z.string(), sinceMs: z.number() });

/** The end of a run: its write log, and the operations that it has heard to have failed. */
const endSchema = z.object({
  writes: z.record(z.string(), z.enum(['clean', 'ambiguous'])),
  heard: z.record(z.string(), heardSchema).optional().catch(undefined),
});

/** Operations that the service calls failed, by the writes that they belong to. */
export type HeardFailures = Record<string, z.output<typeof heardSchema>>;

type WriteLog = Record<string, Tries>;

/** An earlier run that got past its guard. A run that was ended from outside has no write log. */
export type EarlierRun = {
  run: WorkflowExecutionDescription;
  memory: Memory;
  writeLog: WriteLog | undefined;
  heard?: HeardFailures | undefined;
};

/** The earlier runs of a workflow id that may have sent something, newest first. */
export async function readEarlierRuns(workflowId: string): Promise<EarlierRun[]> {
  const opened: EarlierRun[] = [];
  for (const run of await earlierRuns(workflowId)) {
    const memory = memoryOf(run);
    // A run without a whole memory never got past this guard, so it sent nothing.
    if (memory === undefined) continue;
    const { writes: writeLog, heard } = (await endOf(run)) ?? {};
    opened.push({ run, memory, writeLog, heard });
  }
  return opened;
}

/**
 * Compares an order with the earlier runs of its workflow id, since any starter may use any reuse
 * policy. Refuses another service or other money fields. Returns a completed run's result. A
 * cancelled order stays cancelled. A later run may have ended without a result, after it has acted
 * on decisions of people. This run takes over those decisions.
 */
export async function compareRuns(
  now: Memory,
  runs: readonly EarlierRun[],
  order: ReadOrder<OrderKind>,
): Promise<EarlierRuns & { decided: Decided; completed?: unknown }> {
  const found: EarlierRuns = { bornAtMs: Date.now(), writes: {}, others: 'clean', generations: {} };
  if (runs.length > 0) found.ranSinceMs = startOfFirst(runs.map(({ run }) => run));
  for (const { run, memory } of runs) {
    refuseOtherPlace(memory, now);
    await refuseOtherOrder({ run, memory }, now, order);
  }
  found.findings = findingsIn(runs.map(({ memory }) => memory));
  const completed = runs.find(isCompleted);
  if (completed !== undefined) {
    const result = await resultOfRun(completed.run);
    const before = completed.memory;
    const later = runs.slice(0, runs.indexOf(completed));
    const decided = later.map(({ memory }) => memory).reduce<Decided>(decidedBy, now);
    const goesOn = now.money.kind === 'payout' && hasNewDecision(before, decided);
    if (!goesOn) return { ...found, decided, completed: result };
    const told = { continues: isContinued(before, decided), retries: isRaised(before, decided) };
    return { ...found, decided, goesOnFrom: payoutReceipt.parse(result), ...told };
  }
  let decided: Decided = now;
  for (const { run, memory, writeLog, heard } of runs) {
    if (heard !== undefined) found.heard = { ...found.heard, ...heard };
    if (run.status.name === 'CANCELLED' && !hasNewDecision(memory, decided)) {
      throw cancelledBefore(run, writeLog, order);
    }
    if (run.status.name === 'CANCELLED' && isContinued(memory, decided)) {
      Object.assign(found, { continues: true, sealed: found.sealed ?? sealInMemo(run) });
    }
    decided = decidedBy(decided, memory);
    if (memory.amounts !== undefined) found.amounts = memory.amounts;
    found.bornAtMs = Math.min(found.bornAtMs, run.startTime.getTime());
    if (writeLog === undefined) {
      found.others = 'ambiguous';
      found.generations = highest(found.generations, memory.generations);
    }
    for (const [target, tries] of Object.entries(writeLog ?? {})) {
      if (found.writes[target] === 'ambiguous') continue;
      found.writes[target] = tries;
      const [path = '', generation] = target.split('#');
      if (tries === 'clean') continue;
      found.generations = highest(found.generations, { [path]: Number(generation) });
    }
  }
  return { ...found, decided };
}

/** When the first of some runs began. */
export function startOfFirst(runs: readonly Pick<WorkflowExecutionDescription, 'startTime'>[]) {
  return Math.min(...runs.map(({ startTime }) => startTime.getTime()));
}

/** Findings in the memories of runs, which are given newest first. Undefined if there are none. */
function findingsIn(memories: readonly (Memory | undefined)[]): Findings | undefined {
  const found = memories.map((memory) => memory?.findings ?? {}).reverse();
  return found.some((one) => Object.keys(one).length > 0) ? Object.assign({}, ...found) : undefined;
}

/** Decisions of the other runs of this id. A run that was reset may not remember them. */
export async function readDecided(): Promise<Pick<EarlierRuns, 'amounts' | 'findings'>> {
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const memories = (await earlierRuns(workflowId)).map(memoryOf);
  const amounts = memories.find((memory) => memory?.amounts !== undefined)?.amounts;
  return { amounts, findings: findingsIn(memories) };
}

export function isCompleted({ run }: EarlierRun): boolean {
  return run.status.name === 'COMPLETED';
}

/** True if a write of the run may still be pending. */
export function maySettle({ run, writeLog = { any: 'ambiguous' } }: EarlierRun): boolean {
  return run.status.name !== 'CANCELLED' && Object.values(writeLog).includes('ambiguous');
}

/** Other runs of a workflow id that Temporal still knows, newest first. */
export function earlierRuns(workflowId: string): Promise<WorkflowExecutionDescription[]> {
  const { client, info } = Context.current();
  return refusing(() =>
    runsBeside(client, workflowId, { ownRunId: info.workflowExecution?.runId }),
  );
}

/** The result of this run alone. Following it would lead to the run that is being guarded. */
export async function resultOfRun(run: WorkflowExecutionDescription): Promise<unknown> {
  const { client } = Context.current();
  const { workflowId, runId } = run;
  return client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
}

/** Reads what a run's end tells. The next run, or the receipt, answers for one that did not fail. */
async function endOf(
  run: WorkflowExecutionDescription,
): Promise<z.output<typeof endSchema> | undefined> {
  const { status, memo } = run;
  if (['COMPLETED', 'CONTINUED_AS_NEW'].includes(status.name)) return { writes: {} };
  if (status.name === 'CANCELLED') {
    return z.object({ end: endSchema }).safeParse(memo?.[memoryKey]).data?.end;
  }
  if (status.name !== 'FAILED') return undefined;
  const error: unknown = await resultOfRun(run).catch((reason: unknown) => reason);
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return undefined;
  return endSchema.safeParse(cause.details?.[0]).data;
}

export function refuseOtherPlace(earlier: Memory, now: Memory): void {
  const places = (['baseUrl', 'blockchain'] as const)
    .filter((place) => earlier[place] !== now[place])
    .map((place) => `${place} was ${earlier[place]}, is ${now[place]}`);
  if (places.length === 0) return;
  throw stop(
    'NeedsOperator',
    `An earlier run of this id drove another service: ${places.join('; ')}. ` +
      'It is not known what it did there. Use the earlier settings.',
  );
}

/** Refuses a part of a payout whose shard has other lines or wallets. */
export function refuseOtherMoney(earlier: Memory, now: Memory): void {
  if (earlier.fingerprint === now.fingerprint) return;
  const faults = moneyDifferences(earlier.money, now.money).join('; ');
  throw stop('Refused', `This id was used for another order: ${faults}.`);
}

/** Refuses an order whose id belongs to another one, and names what differs. */
async function refuseOtherOrder(
  { run, memory: earlier }: Pick<EarlierRun, 'run' | 'memory'>,
  now: Memory,
  order: ReadOrder<OrderKind>,
): Promise<void> {
  if (earlier.fingerprint === now.fingerprint) return;
  const { client } = Context.current();
  const { told, way } = await otherPayout(order, async () => (await inputOf(client, run))[0]);
  const faults = moneyDifferences(earlier.money, now.money, told).join('; ');
  throw stop('Refused', `This id was used for another order: ${faults}. ${way}`);
}

/** Refuses an order that was cancelled. The way on pays nothing twice. */
function cancelledBefore(
  { runId, workflowId }: WorkflowExecutionDescription,
  writeLog: WriteLog | undefined,
  order: ReadOrder<OrderKind>,
) {
  const hasSent = Object.values(writeLog ?? { any: 'ambiguous' }).includes('ambiguous');
  const way =
    'payoutId' in order
      ? `To pay its lines after all: steadfast payout continue ${order.payoutId}`
      : hasSent
        ? `Where the service had accepted it, resubmit it: steadfast resubmit ${workflowId}`
        : 'It has sent nothing, so that the same order may have an id of its own.';
  return stop('Refused', `This order was cancelled in run ${runId}. ${way}`);
}
