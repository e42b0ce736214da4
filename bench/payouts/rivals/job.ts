import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { type Child, startChild } from '../../../src/local/childProcess';
import { type Payment, paymentsOf, type Race, type Raced } from '../contender';
import { cpuSeconds } from '../cpu';
import { type Place, program } from '../startService';

/** The job file of a rival that is a program of its own. */
export type Job<Item = Payment> = Place & {
  walletIds: string[];
  warmUp: Item[];
  payments: Item[];
  window: number;
  method: string;
  /** The file that gets the result. */
  resultPath: string;
  /** An address that only this rival needs, such as that of a database. */
  url?: string;
};

type Result = Pick<Raced, 'startedAtMs' | 'knownAtMs'>;

/** Makes payments. Returns when each transaction was known as settled. */
export type Pay<Item = Payment> = (payments: readonly Item[]) => Promise<Record<string, number>>;

/** Runs in the program: reads the job, warms up, pays, and waits until it is stopped. */
export async function runJob<Item = Payment>(
  prepare: (job: Job<Item>) => Promise<Pay<Item>>,
): Promise<void> {
  const job: Job<Item> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  const pay = await prepare(job);
  if (job.warmUp.length > 0) await pay(job.warmUp);
  console.log('Begins');
  const startedAtMs = Date.now();
  const knownAtMs = await pay(job.payments);
  const result: Result = { startedAtMs, knownAtMs };
  writeFileSync(job.resultPath, JSON.stringify(result));
  console.log('Done');
  setInterval(() => {}, 60_000);
}

export type JobParts = {
  service: Place;
  /** The program, by its path. */
  path: string;
  url?: string;
  /** The process that stores durable state, if there is one. */
  server?: Child;
};

const prepareMsMax = 120_000;
const raceMsMax = 300_000;

/** Runs in the bench: starts the race in a process of its own and counts its CPU. */
export async function raceJob(race: Race, parts: JobParts): Promise<Raced> {
  const { payers, warmUp, lines, way } = race;
  return startJob(parts, {
    walletIds: payers.map(({ id }) => id),
    warmUp: paymentsOf(warmUp, payers),
    payments: paymentsOf(lines, payers),
    ...way,
  });
}

type Order<Item> = Pick<Job<Item>, 'walletIds' | 'warmUp' | 'payments' | 'window' | 'method'>;

/** The same with payments of any form. */
export async function startJob<Item>(parts: JobParts, order: Order<Item>): Promise<Raced> {
  const { service, server, url } = parts;
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-bench-'));
  const jobPath = join(folder, 'job.json');
  const { baseUrl, apiKey, entitySecret, rpcUrl, isLimited } = service;
  const job: Job<Item> = {
    baseUrl,
    apiKey,
    entitySecret,
    rpcUrl,
    isLimited,
    ...order,
    resultPath: join(folder, 'result.json'),
    ...(url === undefined ? {} : { url }),
  };
  writeFileSync(jobPath, JSON.stringify(job));
  const child = startChild({ command: [...program(parts.path), jobPath], env: bareEnvironment() });
  const used = () => ({
    server: server === undefined ? 0 : cpuSeconds(server.pid),
    worker: cpuSeconds(child.pid),
  });
  try {
    await child.waitForLine(/^Begins$/, prepareMsMax);
    const before = used();
    await child.waitForLine(/^Done$/, raceMsMax);
    const after = used();
    const result: Result = JSON.parse(readFileSync(job.resultPath, 'utf8'));
    const cpuS = { server: after.server - before.server, worker: after.worker - before.worker };
    return { ...result, cpuS };
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
