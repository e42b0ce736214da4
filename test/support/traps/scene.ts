import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { type ChainLogs, createChainReader } from '../../../proof/sweep/judge/chainLogs';
import type { CustodyApi, EndpointName } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { type Orders, runOrders, type ServeOptions } from '../orders';
import { startTestSandbox, type TestSandbox } from '../sandbox';

type Transfer = CustodyApi['createTransfer'];

/** Troubles for a wallet's transfers on their way to the sandbox. `call` counts from 1. */
export type Trouble = (
  input: Parameters<Transfer>[0],
  way: { call: number; forward: Transfer },
) => ReturnType<Transfer>;

/** Real parts: a sandbox with its chain, workers, the Temporal server, and the troubles. */
export type Scene = {
  sandbox: TestSandbox;
  orders: Orders;
  /** Troubles by the address of the sending wallet. */
  troubles: Map<string, Trouble>;
  /** Calls that fail for now, as with a wrong API key: "<endpoint> <wallet or record>". */
  shut: Set<string>;
  /** All logs of the chain so far: the only proof of what moved. */
  logs(): Promise<ChainLogs>;
  change(settings: object): Promise<void>;
  /** Decides how everything ends that a wallet sends from now on. */
  decide(walletId: string, fate: 'stuck' | 'denied' | 'settled'): Promise<void>;
  stop(): Promise<void>;
};

export async function startScene(options: ServeOptions = {}): Promise<Scene> {
  const sandbox = await startTestSandbox();
  const troubles = new Map<string, Trouble>();
  const shut = new Set<string>();
  const custody = refusing(troubled(sandbox.client, troubles), shut);
  const { baseUrl, rpcUrl, origin } = sandbox;
  const orders = await runOrders(custody, { baseUrl, chainRpcUrl: rpcUrl, ...options });
  const chain = createChainReader(rpcUrl);
  const control = async (method: string, path: string, body: object): Promise<void> => {
    const url = `${origin}/_sandbox/${path}`;
    const answer = await sandbox.request(method, url, { headers: {}, body });
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`);
  };
  const fates = new Map<string, string>();
  let plans = Promise.resolve();
  return {
    sandbox,
    orders,
    troubles,
    shut,
    logs: () => chain.logsSince(0n),
    change: (settings) => control('PATCH', 'settings', settings),
    decide: (walletId, fate) => {
      fates.set(walletId, fate);
      const decided = [...fates].filter(([, kind]) => kind !== 'settled');
      const rules = decided.map(([id, kind]) => ({ kind, walletId: id }));
      // One after the other: an older plan that arrives later would undo the newer one.
      plans = plans.then(() => control('POST', 'faults', { seed: 1, rules }));
      return plans;
    },
    stop: async () => {
      await orders.stop();
      await sandbox.stop();
    },
  };
}

function troubled(client: CustodyApi, troubles: Map<string, Trouble>): CustodyApi {
  const calls = new Map<string, number>();
  const createTransfer: Transfer = (input, options) => {
    const walletAddress = input.walletAddress?.toLowerCase() ?? '';
    const trouble = troubles.get(walletAddress);
    const forward: Transfer = (sent) => client.createTransfer(sent, options);
    if (trouble === undefined) return forward(input);
    const call = (calls.get(walletAddress) ?? 0) + 1;
    calls.set(walletAddress, call);
    return trouble(input, { call, forward });
  };
  return { ...client, createTransfer };
}

type AnyCall = (input: Record<string, unknown>, options?: object) => Promise<unknown>;

function refusing(custody: CustodyApi, shut: ReadonlySet<string>): CustodyApi {
  const calls = custody as unknown as Record<EndpointName, AnyCall>;
  const refuse = (name: EndpointName): AnyCall => {
    return async (input, options) => {
      const about = String(input.walletId ?? input.walletAddress ?? input.id).toLowerCase();
      if (!shut.has(`${name} ${about}`)) return calls[name](input, options);
      throw new RefusedError('no such key', { status: 401, code: 156007 });
    };
  };
  const get = (_: unknown, name: EndpointName): AnyCall => refuse(name);
  return new Proxy({}, { get }) as unknown as CustodyApi;
}

/** The state of a run as Temporal shows it, without asking the worker. */
export type Look = { description: WorkflowExecutionDescription; status: string };

/**
 * Waits until a run satisfies a condition. Throws when its workflow tasks fail, for then it is
 * stuck.
 */
export async function until(
  orders: Orders,
  run: { id: string; runId?: string },
  isReached: (look: Look) => boolean | Promise<boolean>,
): Promise<Look> {
  // An order of ten seconds has needed two minutes with other work beside it.
  const deadline = Date.now() + 400_000;
  for (;;) {
    const look = await lookAt(orders, run);
    if (await isReached(look)) return look;
    await failWhenStuck(orders, look);
    if (Date.now() > deadline) throw new Error(`${run.id} is still ${look.status}.`);
    await sleep(250);
  }
}

export async function lookAt(orders: Orders, run: { id: string; runId?: string }): Promise<Look> {
  const description = await orders.client.workflow.getHandle(run.id, run.runId).describe();
  const [status = ''] = description.searchAttributes.SteadfastStatus ?? [];
  return { description, status: String(status) };
}

const resetCause =
  temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW;

async function failWhenStuck(orders: Orders, { description }: Look): Promise<void> {
  if ((description.raw.pendingWorkflowTask?.attempt ?? 0) < 3) return;
  const { workflowId, runId } = description;
  const { history } = await orders.client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: 'default',
    execution: { workflowId, runId },
  });
  const failures = history?.events?.flatMap(
    (event) => event.workflowTaskFailedEventAttributes ?? [],
  );
  // A reset is written as a failed task, and on a busy machine tasks may only have timed out.
  const reason = failures?.find(({ cause }) => cause !== resetCause);
  if (reason !== undefined) throw new Error(`${workflowId} is stuck: ${reason.failure?.message}`);
}

export const isClosed = ({ description }: Look): boolean =>
  description.status.name !== 'RUNNING' && description.status.name !== 'CONTINUED_AS_NEW';
