import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { startReady } from '../../../src/local/startReady';
import { startTemporal } from '../../../src/local/startTemporal';
import { type Contender, type Payment, paymentsOf, type Race, type Raced } from '../contender';
import { cpuSeconds } from '../cpu';
import { costOfMany } from '../histories';
import { program, type Service, type ServiceKeys } from '../startService';
import type { Batch } from './oneEach/batch';
import type { payAll } from './oneEach/workflows';

const taskQueue = 'one-each';
const readyMs = 120_000;
/** So few that the history of a parent stays far below Temporal's limit. */
const paymentsPerParent = 500;

/** The usual answer: a workflow for each transfer, under parents that keep a sliding window. */
export const oneEach: Contender = {
  name: 'one Temporal workflow per transfer',
  // Its pace is slow, and the same at every level.
  lines: () => 1_000,
  ways: (open) =>
    [100, 200, 500]
      .filter((window) => window <= open)
      .flatMap((window) => [
        { window, method: 'one attempt' },
        ...(window === 200 ? [{ window, method: 'retries' }] : []),
      ]),
  enter: async (service) => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
    const temporal = await startTemporal({ ...anyPort, dataDir: folder, headless: true });
    const { child: worker } = await startReady({
      command: [
        ...program(require.resolve('./oneEach/worker')),
        ...flags(temporal.address, service),
      ],
      env: bareEnvironment(),
      ready: /^Worker ready$/,
      timeoutMs: readyMs,
    });
    const connection = await Connection.connect({ address: temporal.address });
    const client = new Client({ connection });
    const used = () => ({ server: cpuSeconds(temporal.pid), worker: cpuSeconds(worker.pid) });
    return {
      race: async (race) => {
        await pay(client, race, race.warmUp);
        return raceOn(client, { race, service, used });
      },
      leave: async () => {
        await connection.close();
        await worker.stop();
        await temporal.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

const anyPort = { port: 0, uiPort: 0 };

function flags(address: string, { baseUrl, apiKey, entitySecret }: ServiceKeys): string[] {
  const given = { address, queue: taskQueue, service: baseUrl, key: apiKey, secret: entitySecret };
  return Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
}

type Track = { race: Race; service: Service; used(): Raced['cpuS'] };

async function raceOn(client: Client, { race, service, used }: Track): Promise<Raced> {
  const before = used();
  const startedAtMs = Date.now();
  const parents = await pay(client, race, race.lines);
  const after = used();
  const cpuS = { server: after.server - before.server, worker: after.worker - before.worker };
  const closed = await closedAtMs(client, race);
  const transfers = await service.transfers();
  const knownAtMs = Object.fromEntries(
    transfers.flatMap(({ id, refId = '' }) => {
      const atMs = closed.get(`pay:${refId}`);
      return atMs === undefined ? [] : [[id, atMs]];
    }),
  );
  const history = await costOfMany(client, { each: parents, alike: [...closed.keys()] });
  return { startedAtMs, knownAtMs, cpuS, history };
}

/** Starts all parents at once, each with its share of the window. Returns their ids. */
async function pay(client: Client, race: Race, lines: Race['lines']): Promise<string[]> {
  const payments = paymentsOf(lines, race.payers);
  const parents = Math.ceil(payments.length / paymentsPerParent);
  const window = Math.max(1, Math.floor(race.way.window / parents));
  return Promise.all(
    Array.from({ length: parents }, async (_, index) => {
      const share = payments.filter((__, at) => at % parents === index);
      return payShare(client, { payments: share, window, method: race.way.method });
    }),
  );
}

async function payShare(client: Client, batch: Batch): Promise<string> {
  const [first]: Payment[] = batch.payments;
  const workflowId = `batch:${first?.lineId}`;
  await client.workflow.execute<typeof payAll>('payAll', { workflowId, taskQueue, args: [batch] });
  return workflowId;
}

const visibleMsMax = 60_000;

/** When each child was closed, by its id, once the list has all of them. */
async function closedAtMs(client: Client, { lines }: Race): Promise<Map<string, number>> {
  const wanted = new Set(lines.map(({ lineId }) => `pay:${lineId}`));
  const deadline = Date.now() + visibleMsMax;
  for (;;) {
    const closed = new Map<string, number>();
    const query = "WorkflowType = 'payOne' AND ExecutionStatus = 'Completed'";
    for await (const { workflowId, closeTime } of client.workflow.list({ query })) {
      if (wanted.has(workflowId) && closeTime) closed.set(workflowId, closeTime.getTime());
    }
    if (closed.size === wanted.size) return closed;
    if (Date.now() > deadline)
      throw new Error(`${wanted.size - closed.size} children are missing.`);
  }
}
