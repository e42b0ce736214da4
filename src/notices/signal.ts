import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Wake } from './wake';

/** The signal by which an order hears that a transaction of its is final. It has no content. */
const noticedSignalName = 'noticed';

const deadlineMs = 3_000;
const notFoundCode = 5;

/**
 * Signals one workflow. Temporal drops a repeat with the same notice id. A workflow that has ended,
 * or that Temporal has forgotten, is over.
 */
export function signalWith(client: Client): Wake {
  const { workflowService, connection, options } = client;
  const identity = `webhooks@${hostname()}`;
  return async (workflowId, noticeId) => {
    try {
      await connection.withDeadline(Date.now() + deadlineMs, () =>
        workflowService.signalWorkflowExecution({
          namespace: options.namespace,
          workflowExecution: { workflowId },
          signalName: noticedSignalName,
          requestId: noticeId,
          identity,
        }),
      );
      return 'woken';
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === notFoundCode) return 'over';
      throw error;
    }
  };
}
