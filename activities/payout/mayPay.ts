import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailureCategory } from '@temporalio/common';
import { remembering } from '../../src/custody/remembering';

/** A payout from its first run on, over all runs that it continues as. */
export type PayoutRun = { workflowId: string; firstRunId: string };

/** A worker relies on an answer for this time, so that many lines cost one question. */
const rememberedMs = 5_000;

/** Leaves the call to the service its ten of the twelve seconds that an attempt has. */
const patienceMs = 1_500;

const remembered = remembering<boolean>({ ms: rememberedMs });

/**
 * Throws unless the payout still runs, so that nothing waits in a queue and is sent hours after its
 * payout has ended. If Temporal does not answer, the line is not sent now.
 */
export async function refuseWhenEnded(run: PayoutRun): Promise<void> {
  let isRunning: boolean;
  try {
    isRunning = await isRunningNow(Context.current().client, run);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failure('Unasked', `Temporal did not say if ${run.workflowId} still runs: ${why}`);
  }
  if (isRunning) return;
  const message = `${run.workflowId} has ended, so this line is not sent. Start it again to go on.`;
  throw failure('Ended', message);
}

function isRunningNow(client: Client, run: PayoutRun): Promise<boolean> {
  const key = JSON.stringify([client.options.namespace, run.workflowId, run.firstRunId]);
  return remembered(key, () => ask(client, run));
}

async function ask(client: Client, { workflowId, firstRunId }: PayoutRun): Promise<boolean> {
  try {
    const { status, raw } = await client.withDeadline(Date.now() + patienceMs, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    const isSame = raw.workflowExecutionInfo?.firstRunId === firstRunId;
    return isSame && status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Of either type the attempt was not made. Only `Ended` is not retried. */
function failure(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: type === 'Ended',
    details: [{ ambiguous: false }],
    category: ApplicationFailureCategory.BENIGN,
  });
}
