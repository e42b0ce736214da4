import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { remembering } from '../src/custody/sharing';
import { stop } from './failure';
import { askTemporal, unasked } from './ownRun';

/** A payout from its first run on, over all runs that it continues as. */
export type PayoutRun = { workflowId: string; firstRunId: string };

/** A worker relies on an answer for this time, so that many lines cost one question. */
const rememberedMs = 5_000;

const remembered = remembering<boolean>({ ms: rememberedMs });

/**
 * Throws unless the payout still runs, so that nothing waits in a queue and is sent hours after its
 * payout has ended. If Temporal does not answer, the line is not sent now.
 */
export async function refuseWhenEnded(run: PayoutRun): Promise<void> {
  let isRunning: boolean;
  try {
    isRunning = await isRunningNow(run);
  } catch (error) {
    throw unasked(`if ${run.workflowId} still runs`, error);
  }
  if (isRunning) return;
  const words = `${run.workflowId} has ended, so this line is not sent. Start it again to go on.`;
  throw stop('Ended', words, { ambiguous: false });
}

function isRunningNow(run: PayoutRun): Promise<boolean> {
  const { namespace } = Context.current().client.options;
  const key = JSON.stringify([namespace, run.workflowId, run.firstRunId]);
  return remembered(key, () => ask(run));
}

async function ask({ workflowId, firstRunId }: PayoutRun): Promise<boolean> {
  try {
    const { status, raw } = await askTemporal((client) =>
      client.workflow.getHandle(workflowId).describe(),
    );
    const isSame = raw.workflowExecutionInfo?.firstRunId === firstRunId;
    return isSame && status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
