import {
  ApplicationFailure,
  type Client,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
} from '@temporalio/client';
import { z } from 'zod';
import { BadOrderError } from '../orders/input/read';
import { isKind, type OrderKind } from '../orders/kinds';
import { memoryKey } from '../orders/progress/status';
import { inputOf } from './temporal/inputOf';
import { runsBeside } from './temporal/runsOf';

/** The proof, in the end of an order, that a write had no effect. */
const proofSchema = z.object({
  target: z.string().regex(/^[^#]+#\d+$/),
  record: z.object({ id: z.string(), state: z.string() }),
});

const orderSchema = z.looseObject({
  generations: z.record(z.string(), z.number()).optional(),
});

/** An order to start again: the same order, but for the generation of one write. */
type NewAttempt = { workflowId: string; kind: OrderKind; order: Record<string, unknown> };

type Proof = z.output<typeof proofSchema>;

/**
 * Makes the order of a retry from the closed runs of an id. The generation of the write that had no
 * effect is one higher. The final record in the end of a run is the proof of that write. Throws a
 * BadOrderError when no run has a proof.
 */
export async function newAttempt(client: Client, workflowId: string): Promise<NewAttempt> {
  const { run, proof } = await lastProof(client, workflowId);
  const { target } = proof;
  const [path = '', generation] = target.split('#');
  const order = await orderOfRun(client, run);
  const generations = { ...order.generations, [path]: Number(generation) + 1 };
  if (!isKind(run.type)) {
    throw new BadOrderError(`id: ${workflowId} is a ${run.type}, which has no retries.`);
  }
  return { workflowId, kind: run.type, order: { ...order, generations } };
}

/** Finds the newest run that ended with a proof. A later start that was refused proves nothing. */
async function lastProof(
  client: Client,
  workflowId: string,
): Promise<{ run: WorkflowExecutionDescription; proof: Proof }> {
  const newest = await client.workflow.getHandle(workflowId).describe();
  const runs = [newest, ...(await runsBeside(client, workflowId, { ownRunId: newest.runId }))];
  for (const run of runs) {
    const instead = insteadOf[run.status.name];
    if (instead !== undefined) throw new BadOrderError(`id: ${workflowId} ${instead}`);
    const proof = await proofOf(client, run);
    if (proof !== undefined) return { run, proof };
  }
  throw new BadOrderError(
    `id: ${workflowId} ended without a transaction that failed. ` +
      'Start a refused order again as it is. A cancelled or rejected one that has sent ' +
      'nothing may have an id of its own. `payout continue` pays what is left of a payout.',
  );
}

async function proofOf(
  client: Client,
  { workflowId, runId, memo }: WorkflowExecutionDescription,
): Promise<Proof | undefined> {
  // A cancelled run has no failure, and says it in its memo.
  const cancelled = z.object({ end: proofSchema }).safeParse(memo?.[memoryKey]);
  if (cancelled.success) return cancelled.data.end;
  try {
    await client.workflow.getHandle(workflowId, runId, { followRuns: false }).result();
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) return undefined;
    return proofSchema.safeParse(cause.details?.[0]).data;
  }
  return undefined;
}

const endedFromOutside =
  'was ended from outside. Start it again as it is: it looks up what it had sent.';

/** Refuses a run that was ended from outside: what it had sent is not known before it goes on. */
export function refuseEndedFromOutside({ workflowId, status }: WorkflowExecutionDescription): void {
  if (insteadOf[status.name] !== endedFromOutside) return;
  throw new BadOrderError(`id: ${workflowId} ${endedFromOutside}`);
}

const insteadOf: Readonly<Record<string, string>> = {
  RUNNING: 'is still under way. Decide an unknown write with "steadfast resolve".',
  COMPLETED: 'is completed. There is nothing to retry.',
  TERMINATED: endedFromOutside,
  TIMED_OUT: endedFromOutside,
};

/** Reads the order that the run was started with. A continued run carries the order along. */
export async function orderOfRun(
  client: Client,
  { workflowId, runId }: Pick<WorkflowExecutionDescription, 'workflowId' | 'runId'>,
): Promise<z.output<typeof orderSchema>> {
  const [order] = await inputOf(client, { workflowId, runId });
  return orderSchema.parse(order);
}
