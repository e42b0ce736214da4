import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import { z } from 'zod';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import type { RequestSigning } from '../../src/client/options';
import { limitVariables } from '../../src/local/limitVariables';
import { startTemporal } from '../../src/local/startTemporal';
import { startWorker } from '../../src/local/startWorker';
import type { Order } from '../../src/orders/kinds';
import type { PayoutLine } from '../../src/orders/payout';
import { buildWorkflows } from '../../src/worker/worker';
import { type Contender, fullRace, type Race, type Raced } from './contender';
import { cpuSeconds } from './cpu';
import { costOfMany } from './histories';
import { inLanes } from './rivals/inLanes';
import type { Place } from './startService';

/** Steadfast with a Temporal server and a worker of its own, in front of a service. */
export type Ground = {
  client: Client;
  steadfast: Steadfast;
  /** The time from the worker's start until it was ready. */
  workerReadyMs: number;
  used(): Raced['cpuS'];
  leave(): Promise<void>;
};

const taskQueue = 'steadfast';
const pageBytesMax = 128 * 1024 ** 2;
/** No race is longer. A payout that waits for ever ends with a sentence. */
const raceMaxMs = 1_800_000;

/** Variables that a worker has besides, and how its client signs orders, if it does. */
type GroundOptions = {
  env?: Record<string, string>;
  signing?: RequestSigning | undefined;
  /** Sees each line that the worker prints. */
  onLine?: (line: string) => void;
};

/** Starts a Temporal server and a worker. */
export async function startGround(
  { baseUrl, apiKey, entitySecret }: Omit<Place, 'isLimited' | 'rpcUrl'>,
  { env = {}, signing, onLine = () => {} }: GroundOptions = {},
): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const temporal = await startTemporal({ port: 0, uiPort: 0, dataDir: folder, headless: true });
  const { address, namespace } = temporal;
  const variables = {
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: apiKey,
    CUSTODY_ENTITY_SECRET: entitySecret,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    STEADFAST_TASK_QUEUE: taskQueue,
    STEADFAST_WORKFLOW_BUNDLE: await workflowBundle(),
    ...env,
  };
  const startedMs = performance.now();
  const worker = await startWorker({ env: variables, onLine });
  const workerReadyMs = performance.now() - startedMs;
  // A page of a history with many parts of lines is more than gRPC takes by default.
  const channelArgs = { 'grpc.max_receive_message_length': pageBytesMax };
  const connection = await Connection.connect({ address, channelArgs });
  const client = new Client({ connection, namespace });
  return {
    client,
    workerReadyMs,
    steadfast: createSteadfast({ client, taskQueue, signing }),
    used: () => ({ server: cpuSeconds(temporal.pid), worker: cpuSeconds(worker.pid) }),
    leave: async () => {
      await connection.close();
      await worker.stop();
      await temporal.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let bundle: Promise<string> | undefined;

/** The workflows in one file, built once for all workers of this process. */
export function workflowBundle(): Promise<string> {
  bundle ??= buildWorkflows().then(({ code }) => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'workflows.js');
    writeFileSync(path, code);
    return path;
  });
  return bundle;
}

/** Steadfast as a contender, with more variables for its worker, or a client that signs. */
export function steadfastWith({ env, signing }: GroundOptions = {}): Contender {
  return {
    name: 'Steadfast',
    lines: fullRace,
    ways: (open) => [{ window: open, method: 'payout' }],
    enter: async (service) => {
      const pace = service.isLimited ? {} : unlimited;
      const ground = await startGround(service, { env: { ...pace, ...env }, signing });
      return {
        race: async (race) => {
          await pay(ground, orderOf(race), race.warmUp);
          return raceOn(ground, orderOf(race), race.lines);
        },
        leave: ground.leave,
      };
    },
  };
}

export const steadfast = steadfastWith();

/** Variables for a service without limits. By default workers keep the hosted limits. */
export const unlimited = limitVariables({ SANDBOX_RATE_LIMIT: 'off' });

type Terms = Omit<Order<'payout'>, 'payoutId'>;

function orderOf({ payers, way, linesPerS }: Race): Terms {
  const pace = linesPerS === undefined ? {} : { linesPerS };
  return { wallets: payers.map(({ id }) => id), openMax: way.window, ...pace };
}

/** Pays lines. Returns once they are settled, with times and costs. */
export async function raceOn(
  ground: Ground,
  terms: Terms,
  lines: readonly PayoutLine[],
): Promise<Raced> {
  const before = ground.used();
  const startedAtMs = Date.now();
  const payoutId = await pay(ground, terms, lines);
  const after = ground.used();
  const cpuS = { server: after.server - before.server, worker: after.worker - before.worker };
  const id = `payout:${payoutId}`;
  const parts = await ground.client.workflow.getHandle(id).query<{ shardId: string }[]>('parts');
  const shards = parts.map(({ shardId }) => shardId);
  const known: Record<string, number>[] = [];
  await inLanes(shards, readersMax, async (shardId) => {
    known.push(await knownBy(ground.client, shardId));
  });
  const history = await costOfMany(ground.client, { each: [id, ...shards] });
  return { startedAtMs, knownAtMs: Object.assign({}, ...known), cpuS, history };
}

const readersMax = 8;

/** Pays lines. Returns the id of their payout once all of them are paid. */
export async function pay(
  { steadfast }: Pick<Ground, 'steadfast'>,
  terms: Terms,
  lines: readonly PayoutLine[],
): Promise<string> {
  const payoutId = `bench-${lines[0]?.lineId}`;
  const started = await steadfast.payout({ payoutId, ...terms }, lines);
  const receipt = await started.receipt({ timeoutMs: raceMaxMs });
  if (receipt.paid !== lines.length) {
    throw new Error(
      `Of ${lines.length} lines ${receipt.paid} were paid: ${JSON.stringify(receipt)}`,
    );
  }
  return payoutId;
}

/** The answer of the activity that watches lines. */
const watchedForm = z.object({
  final: z.array(z.object({ id: z.string(), txHash: z.string().optional() })),
});
/** The questions of the activity that reads receipts. */
const receiptsForm = z.array(z.object({ txHash: z.string() }));

/**
 * The time at which a shard's history had each transaction as final: the end of that poll. Where
 * the chain is read, the end of the reading of its receipt.
 */
async function knownBy(client: Client, shardId: string): Promise<Record<string, number>> {
  const knownAtMs: Record<string, number> = {};
  const idOf = new Map<string, string>();
  for (const { events } of await historiesOf(client, shardId)) {
    const asked = new Map<string, string[]>();
    for (const event of events ?? []) {
      const { activityTaskScheduledEventAttributes: scheduled, eventTime } = event;
      const { activityTaskCompletedEventAttributes: done } = event;
      const receipts = receiptsForm.safeParse(scheduled && read(scheduled.input));
      const hashes = receipts.data?.map(({ txHash }) => txHash) ?? [];
      if (hashes.length > 0) asked.set(String(event.eventId), hashes);
      if (!done || !eventTime) continue;
      const watched = watchedForm.safeParse(read(done.result));
      for (const { id, txHash = '' } of watched.data?.final ?? []) {
        knownAtMs[id] ??= tsToMs(eventTime);
        idOf.set(txHash, id);
      }
      for (const txHash of asked.get(String(done.scheduledEventId)) ?? []) {
        knownAtMs[idOf.get(txHash) ?? ''] = tsToMs(eventTime);
      }
    }
  }
  return knownAtMs;
}

/** The first of some payloads. */
function read(from: { payloads?: Payload[] | null } | null | undefined): unknown {
  const [payload] = from?.payloads ?? [];
  return payload && defaultPayloadConverter.fromPayload(payload);
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** The histories of all runs, from the first one on. */
async function historiesOf(client: Client, id: string): Promise<History[]> {
  const histories: History[] = [];
  for (let runId: string | undefined; ; ) {
    const history: History = await client.workflow.getHandle(id, runId).fetchHistory();
    histories.unshift(history);
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    if (!started?.continuedExecutionRunId) return histories;
    runId = started.continuedExecutionRunId;
  }
}
