import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import type { Settings } from '../../sandbox/config/settings';
import type { Disturbance, Fate } from '../../sandbox/faults/faultRule';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { quietPorts, startMortalStack } from '../kill/processes';
import { type Doors, type Mortality, mortality } from './mortality';
import { createGate, type Gate } from './proxies/gate';
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

/** The options of a stack. */
export type LaneOptions = {
  /** Settings of the Temporal server. */
  dynamicConfig?: Record<string, string>;
  /** More variables for the worker. */
  workerEnv?: Record<string, string>;
};

export async function startLane(product: Product, options: LaneOptions = {}): Promise<Lane> {
  const folder = mkdtempSync(join(product.folder, 'stack-'));
  const gate = createGate();
  const ports = await quietPorts();
  const address = `127.0.0.1:${ports.temporal}`;
  const service = await startServiceProxy(`http://127.0.0.1:${ports.sandbox}`, gate);
  const worker = await startTemporalProxy(address, { gate, user: 'worker' });
  const caller = await startTemporalProxy(address, { gate, user: 'caller' });
  const doors = { service, worker, caller };
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
  const connections = await Promise.all(
    [`127.0.0.1:${caller.port}`, address].map((at) => Connection.connect({ address: at })),
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
    custody: createCustodyClient(stack),
    rpcUrl: stack.rpcUrl,
    ...control(stack.controlUrl),
    ended,
    ...mortality(stack, { doors, folder, workerEnv: ownEnv }),
    stop: async () => {
      endWatch();
      await Promise.all(connections.map((connection) => connection.close()));
      await stack.stop();
      await Promise.all(Object.values(doors).map((door) => door.shut()));
    },
  };
}

const rulesMax = 100;
/** Longer than the service remembers a key. */
const monthDays = 31;

/** A plan replaces the one before, so it has the newest rules of all wallets in it. */
function control(controlUrl: string): Pick<Lane, 'decide' | 'set' | 'age' | 'snapshot'> {
  const rules: object[] = [];
  return {
    decide: async (walletId, kind) => {
      rules.push({ kind, walletId, method: 'POST', count: 1 });
      await order(`${controlUrl}/faults`, 'POST', { rules: rules.slice(-rulesMax) });
    },
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

function workerCommand({ root }: Product): [string, ...string[]] {
  const program = join(root, 'scripts', 'steadfast.js');
  const preloads = [require.resolve('./nameOrder.js'), require.resolve('../kill/shiftClock.js')];
  const required = preloads.flatMap((file) => ['--require', file]);
  return [process.execPath, ...required, program, 'worker'];
}
