import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import type { Settings } from '../../sandbox/config/settings';
import type { Disturbance, Fate, FaultRule, NoticeFault } from '../../sandbox/faults/faultRule';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { freePorts } from '../../src/local/freePorts';
import { quietPorts, startMortalStack } from '../kill/processes';
import { type Doors, type Mortality, mortality } from './mortality';
import { createGate, type Gate } from './proxies/gate';
import { startNoticeProxy } from './proxies/noticeProxy';
import { startServiceProxy } from './proxies/serviceProxy';
import { startTemporalProxy } from './proxies/temporalProxy';
import { watchTemporal } from './watch';

/** A stack with proxies in it, whose processes are killed while orders are held at the gate. */
export type Lane = Mortality & {
  gate: Gate;
  /** The client of the orders' caller. Its calls pass the gate. */
  steadfast: Steadfast;
  caller: Client;
  /** The client that observes the orders. Its calls bypass the gate. */
  observer: Client;
  custody: CustodyApi;
  rpcUrl: string;
  /** Decides the fate of a wallet's next write or its transaction, until the sandbox ends. */
  decide(walletId: string, kind: Fate | Disturbance): Promise<void>;
  /** Has notices about a wallet come twice, late, or not at first, until the sandbox ends. */
  disturbNotices(walletId: string, rule: NoticeRule): Promise<void>;
  /** Changes how the service behaves, until the sandbox ends. */
  set(settings: Partial<Settings>): Promise<void>;
  /** Makes a final transaction a month older. The service forgets its idempotency key. */
  age(transactionId: string): Promise<void>;
  /** Takes a snapshot of the service with its chain. Returns the call that restores both. */
  snapshot(): Promise<() => Promise<void>>;
  /** The last lines of processes that ended or hung by themselves. */
  ended: string[];
  stop(): Promise<void>;
};

/** A fault of the notices about one wallet. */
export type NoticeRule = Pick<FaultRule<NoticeFault>, 'kind' | 'delayMs' | 'count'>;

/** The product that is swept: where its programs are, and its workflows, bundled. */
export type Product = {
  root: string;
  bundle: string;
  /** The folder for the stacks' files. Its maker removes it. */
  folder: string;
};

/** Quick enough for hundreds of orders, and with nothing that a kill could not heal. */
const sandboxEnv = { SANDBOX_SETTLE_MS: '300', SANDBOX_RATE_LIMIT: 'off' };
const lookUpGraceSeconds = 6;
const lookMs = 100;

/** The options of a stack. */
export type LaneOptions = {
  /** Settings of the Temporal server. */
  dynamicConfig?: Record<string, string>;
  /** More variables for the worker. */
  workerEnv?: Record<string, string>;
  /** Runs a receiver, which hears of all notices. */
  hasReceiver?: boolean;
};

/** The workflow that the receiver starts for received money. No worker serves its queue. */
export const backendWorkflow = 'onReceived';
const received = {
  STEADFAST_RECEIVED_WORKFLOW: backendWorkflow,
  STEADFAST_RECEIVED_QUEUE: 'backend',
};

export async function startLane(product: Product, options: LaneOptions = {}): Promise<Lane> {
  const folder = mkdtempSync(join(product.folder, 'stack-'));
  const gate = createGate();
  const ports = await quietPorts();
  const address = `127.0.0.1:${ports.temporal}`;
  const [receiverPort = 0] = await freePorts([0]);
  const doors = await startDoors(gate, { ...ports, receiver: receiverPort });
  const ended: string[] = [];
  const ownEnv = { ...workerEnv(product, doors), ...options.workerEnv };
  const stack = await startMortalStack({
    folder,
    ports,
    sandboxEnv,
    ...(options.dynamicConfig === undefined ? {} : { dynamicConfig: options.dynamicConfig }),
    workerEnv: ownEnv,
    workerCommand: workerCommand(product),
    onEnd: (name, lines) => ended.push([`${name} ended by itself.`, ...lines].join('\n')),
  });
  const custody = createCustodyClient(stack);
  const receiver = options.hasReceiver
    ? stack.addReceiver(receiverEnv(doors, receiverPort))
    : undefined;
  await receiver?.start();
  while (receiver && (await custody.listSubscriptions({})).length === 0) await sleep(lookMs);
  const connections = await Promise.all(
    [`127.0.0.1:${doors.caller.port}`, address].map((at) => Connection.connect({ address: at })),
  );
  const [called, observed] = connections.map((connection) => new Client({ connection }));
  if (called === undefined || observed === undefined) throw new Error('Temporal is not there.');
  const endWatch = watchTemporal(stack.temporal, {
    observer: observed,
    onHung: () => ended.push('Temporal ran and answered nobody, and was started again.'),
  });
  return {
    gate,
    steadfast: createSteadfast({ client: called, taskQueue: stack.taskQueue }),
    caller: called,
    observer: observed,
    custody,
    rpcUrl: stack.rpcUrl,
    ...control(stack.controlUrl),
    ended,
    ...mortality(stack, { doors, receiver, folder, workerEnv: ownEnv }),
    stop: async () => {
      endWatch();
      await Promise.all(connections.map((connection) => connection.close()));
      await stack.stop();
      await Promise.all(Object.values(doors).map((door) => door.shut()));
    },
  };
}

type Ports = Record<'temporal' | 'sandbox' | 'receiver', number>;

async function startDoors(gate: Gate, ports: Ports): Promise<Doors> {
  const address = `127.0.0.1:${ports.temporal}`;
  const [worker, caller, receiver] = await Promise.all([
    startTemporalProxy(address, { gate, user: 'worker' }),
    startTemporalProxy(address, { gate, user: 'caller' }),
    startTemporalProxy(address, { gate, user: 'receiver' }),
  ]);
  const service = await startServiceProxy(`http://127.0.0.1:${ports.sandbox}`, gate);
  const notices = await startNoticeProxy(`http://127.0.0.1:${ports.receiver}`, gate);
  return { worker, caller, receiver, service, notices };
}

const rulesMax = 100;
/** Longer than the service remembers a key. */
const monthDays = 31;

/** A plan replaces the one before, so it has the newest rules of all wallets in it. */
function control(controlUrl: string): Control {
  const rules: object[] = [];
  const add = async (rule: object): Promise<void> => {
    rules.push(rule);
    await order(`${controlUrl}/faults`, 'POST', { rules: rules.slice(-rulesMax) });
  };
  return {
    decide: (walletId, kind) => add({ kind, walletId, method: 'POST', count: 1 }),
    disturbNotices: (walletId, rule) => add({ ...rule, walletId }),
    set: async (settings) => {
      await order(`${controlUrl}/settings`, 'PATCH', settings);
    },
    age: async (id) => {
      await order(`${controlUrl}/transactions/${id}/age`, 'POST', { days: monthDays });
    },
    snapshot: async () => {
      const { id } = snapshotSchema.parse(await order(`${controlUrl}/snapshots`, 'POST', {}));
      return async () => {
        await order(`${controlUrl}/snapshots/${id}/restore`, 'POST', {});
      };
    },
  };
}

type Control = Pick<Lane, 'decide' | 'disturbNotices' | 'set' | 'age' | 'snapshot'>;

const snapshotSchema = z.object({ id: z.string() });

async function order(url: string, method: string, content: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(content) });
  if (!answer.ok) throw new Error(`${method} ${url} was answered with ${answer.status}.`);
  return answer.json();
}

function workerEnv({ bundle }: Product, { service, worker }: Doors): Record<string, string> {
  const origin = `http://127.0.0.1:${service.port}`;
  return {
    CUSTODY_BASE_URL: `${origin}/v1/w3s`,
    CHAIN_RPC_URL: `${origin}/_sandbox/rpc`,
    CUSTODY_LOOKUP_GRACE_SECONDS: String(lookUpGraceSeconds),
    TEMPORAL_ADDRESS: `127.0.0.1:${worker.port}`,
    STEADFAST_WORKFLOW_BUNDLE: bundle,
  };
}

function receiverEnv({ receiver, notices }: Doors, port: number): Record<string, string> {
  return {
    ...received,
    STEADFAST_WEBHOOKS_PORT: String(port),
    TEMPORAL_ADDRESS: `127.0.0.1:${receiver.port}`,
    STEADFAST_WEBHOOKS_ENDPOINT: `http://127.0.0.1:${notices.port}/`,
  };
}

function workerCommand({ root }: Product): [string, ...string[]] {
  const program = join(root, 'scripts', 'steadfast.js');
  const preloads = [require.resolve('./nameOrder.js'), require.resolve('../kill/shiftClock.js')];
  const required = preloads.flatMap((file) => ['--require', file]);
  return [process.execPath, ...required, program, 'worker'];
}
