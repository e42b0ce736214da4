import type { Client } from '@temporalio/client';
import { defaultDataConverter, defaultPayloadConverter } from '@temporalio/common';

/** An order as a run of Temporal shows it, whoever has written it there. */
export type Shown = { workflowId: string; type: string; order: object };

/** The orders that were started, with the id of each. */
export type StartedOrders = { workflowId: string; order: Record<string, unknown> }[];

/**
 * A client of a Temporal that somebody else controls. It shows one closed order, whose transfer or
 * line has failed, and keeps what is started.
 */
export function forgedTemporal({ workflowId, type, order }: Shown) {
  const started: StartedOrders = [];
  const end = { target: 'transfer/1#0', record: { id: 'x', state: 'FAILED' } };
  const run = { workflowId, runId: 'r1', type, raw: {}, memo: { steadfast: { end } } };
  const status = { name: type === 'payout' ? 'COMPLETED' : 'CANCELLED' };
  const payloads = [defaultPayloadConverter.toPayload(order)];
  const shard = {
    describe: async () => ({ type: 'payoutShard', status: { name: 'RUNNING' } }),
    query: async () => [{ lineId: 'a', outcome: 'failed', generation: 0 }],
  };
  const closed = {
    describe: async () => ({ ...run, status }),
    query: async () => [{ shardId: 'shard' }],
  };
  /** The part of a handle that ends a wait. */
  const asked = {
    client: { withAbortSignal: (_: AbortSignal, call: () => Promise<unknown>) => call() },
  };
  const client = {
    options: { namespace: 'default', loadedDataConverter: defaultDataConverter },
    connection: {},
    workflow: {
      getHandle: (id: string) => (id === 'shard' ? shard : closed),
      list: async function* () {},
      start: async (
        _: string,
        { workflowId: id, args }: { workflowId: string; args: [object] },
      ) => {
        started.push({ workflowId: id, order: { ...args[0] } });
        return { ...asked, workflowId: id, firstExecutionRunId: 'r2', result: async () => ({}) };
      },
    },
    workflowService: {
      getWorkflowExecutionHistory: async () => ({
        history: { events: [{ workflowExecutionStartedEventAttributes: { input: { payloads } } }] },
      }),
    },
  };
  return { client: client as unknown as Client, started };
}
