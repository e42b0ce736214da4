import { randomUUID } from 'node:crypto';
import {
  ActivityFailure,
  ApplicationFailure,
  Client,
  Connection,
  WorkflowFailedError,
} from '@temporalio/client';
import type { FailureFacts } from '../../../activities/failure';
import type { CallOptions, CustodyApi } from '../../../src/custody/endpoints';
import { WithheldError } from '../../../src/custody/errors';
import { temporalAddress } from '../../support/temporal';

/** Somebody who reaches the namespace, and has a workflow schedule what he likes. */
export type HostileCaller = {
  client: Client;
  /** Has an activity of the writer make one attempt, on the queue of a worker. */
  schedule(name: string, input: object, queue?: string): Promise<unknown>;
  /** The service as he has it: every call is an activity of the real worker. */
  api: CustodyApi;
  /** The same calls through the worker of another queue. */
  apiOf(queue: string): CustodyApi;
  close(): Promise<void>;
};

/** Connects a hostile caller to the worker of a queue, which drives the service of that URL. */
export async function hostileCaller(taskQueue: string, baseUrl: string): Promise<HostileCaller> {
  const connection = await Connection.connect({ address: temporalAddress() });
  const client = new Client({ connection });
  const schedule = async (name: string, input: object, queue = taskQueue): Promise<unknown> => {
    try {
      const workflowId = `hostile:${randomUUID()}`;
      const args = [name, input, `${queue}-writes`];
      return await client.workflow.execute('hostile', { workflowId, taskQueue, args });
    } catch (error) {
      const cause = error instanceof WorkflowFailedError ? error.cause : error;
      throw asThrown(cause instanceof ActivityFailure ? cause.cause : cause);
    }
  };
  const apiOf = (queue: string): CustodyApi =>
    new Proxy(Object.create(null) as CustodyApi, {
      get: (_, name: string) => async (input: object, how?: CallOptions) => {
        const write = rawWrite(baseUrl, { input, ...(how && { how }) });
        const isRequest = name === 'cancelTransaction' || name === 'accelerateTransaction';
        const about = isRequest ? { transactionId: Reflect.get(input, 'id') } : {};
        const answer = await schedule(name, { ...write, ...about }, queue);
        return { ...Object(answer), id: Reflect.get(Object(answer), 'transactionId') };
      },
    });
  const close = () => connection.close();
  return { client, schedule, api: apiOf(taskQueue), apiOf, close };
}

/** An attempt as an activity of the writer takes it, with whatever the caller claims. */
export function rawWrite(
  baseUrl: string,
  { input, how = {}, claims = {} }: { input: unknown; how?: CallOptions; claims?: object },
): object {
  const { parts, authority } = how;
  const { idempotencyKey, refId, ...others } = Object(input);
  const claimed = { bornAtMs: Date.now(), earlierTries: 'clean', baseUrl };
  return { ...claimed, parts, authority, input: others, ...claims };
}

const nexts = { Refused: 'stop', NeedsOperator: 'operator', Unknown: 'lookUp' } as const;

/** The failure of an activity, as the writer has thrown it in its own process. */
function asThrown(failure: unknown): unknown {
  if (!(failure instanceof ApplicationFailure)) return failure;
  const next = Object.entries(nexts).find(([type]) => type === failure.type)?.[1];
  if (next === undefined && failure.type !== 'WithheldError') return failure;
  const [facts] = (failure.details ?? []) as FailureFacts[];
  const { approval } = facts ?? {};
  const asks = approval === undefined ? {} : { approval };
  return new WithheldError(failure.message, { next: next ?? 'again', ...asks });
}
