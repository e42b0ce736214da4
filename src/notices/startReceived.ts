import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

/** The workflow of a backend's own that hears of received money. */
export type ReceivedRule = { workflowType: string; taskQueue: string };

/** The id of the workflow for a transaction. */
export function receivedIdOf(transactionId: string): string {
  return `received:${transactionId}`;
}

/**
 * Starts a workflow for received money. Its id is the transaction's, so that Temporal starts it
 * once. Its input has the id alone, since it reads what was received from the service itself.
 */
export function startReceivedWith(client: Client, { workflowType, taskQueue }: ReceivedRule) {
  return async (transactionId: string): Promise<'started' | 'repeated'> => {
    try {
      await client.workflow.start(workflowType, {
        workflowId: receivedIdOf(transactionId),
        taskQueue,
        args: [{ transactionId }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      });
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'repeated';
      throw error;
    }
  };
}
