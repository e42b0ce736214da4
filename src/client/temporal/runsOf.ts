import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';

/**
 * Orders have a few runs. A caller who starts one again and again must not make each start dearer.
 */
const runsMax = 1_000;

/**
 * The runs of a workflow id that Temporal still knows, except one, newest first. Throws a
 * BadOrderError for more than `most`.
 */
export async function runsBeside(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
  { ownRunId, most = runsMax }: { ownRunId?: string | undefined; most?: number },
): Promise<WorkflowExecutionDescription[]> {
  const runs: WorkflowExecutionDescription[] = [];
  const query = `WorkflowId = ${inQuery(workflowId)}`;
  for await (const { runId } of client.workflow.list({ query })) {
    if (runId === ownRunId) continue;
    if (runs.length >= most) {
      throw new BadOrderError(
        `${workflowId} has more than ${most} runs. Find out who starts it, and what they have paid.`,
      );
    }
    // The list lags behind. The description does not.
    runs.push(await client.workflow.getHandle(workflowId, runId).describe());
  }
  return runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

/** A text in a list query of Temporal, with its quotes. It cannot end them. */
export function inQuery(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
