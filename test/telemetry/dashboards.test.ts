import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/local/freePorts';
import { startWebhooks } from '../../src/local/startWebhooks';
import { metrics } from '../../src/telemetry/metrics';
import { readExposition, type Served } from '../support/observability/exposition';
import { type Prometheus, programOf, startPrometheus } from '../support/observability/prometheus';
import {
  alertQueries,
  alertRules,
  alertsFile,
  labelsOf,
  metricsOf,
  panelQueries,
} from '../support/observability/queries';
import { startReceiver as startListener } from '../support/service/receiver';
import { temporalAddress } from '../support/temporal';
import { runLoad, startWatched, type Watched } from '../support/watched';

/** The receiver of notices serves its own. */
const ofReceiver = ['steadfast_notices_total', 'steadfast_last_notice_timestamp_seconds'];
const ofWorkers = Object.entries(metrics).filter(([name]) => !ofReceiver.includes(name));

const program = programOf('prometheus');
const promtool = programOf('promtool');
const withPrometheus = program === undefined ? test.skip : test;
const withPromtool = promtool === undefined ? test.skip : test;
const inVain = program === undefined ? ' (skipped: there is no prometheus on the PATH)' : '';
const unchecked = promtool === undefined ? ' (skipped: there is no promtool on the PATH)' : '';

const queries = [...panelQueries(), ...alertQueries()];
/** Labels that Temporal adds to all metrics of workflows. */
const ofWorkflows = ['namespace', 'taskQueue', 'workflowType'];

let watched: Watched;
/** Is told of the ends of orders. */
let listener: Awaited<ReturnType<typeof startListener>>;
let receiver: Receiver;
let prometheus: Prometheus | undefined;
let served: Map<string, Served>;
let servedByWorker: Map<string, Served>;
beforeAll(async () => {
  listener = await startListener();
  watched = await startWatched({
    STEADFAST_ANSWERS_URL: listener.endpoint,
    STEADFAST_ANSWERS_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
    STEADFAST_ANSWERS_PRIVATE: '1',
  });
  receiver = await startReceiver(watched);
  const targets = [watched.target, receiver.target];
  if (program !== undefined) prometheus = await startPrometheus(program, targets);
  await runLoad(watched);
  // A rate needs an increase after the first sample.
  if (prometheus !== undefined) await sleep(1_000);
  await runLoad(watched);
  await counted();
  servedByWorker = readExposition(await watched.metrics());
  served = new Map([...readExposition(await receiver.metrics()), ...servedByWorker]);
});
afterAll(async () => {
  await prometheus?.stop();
  await receiver?.stop();
  await watched?.stop();
  await listener?.stop();
});

describe('the metrics of a worker', () => {
  test('are those of the table in our code, with the same types and labels', () => {
    for (const [name, { type, labels }] of ofWorkers) {
      const found = served.get(name);
      expect({ name, type: found?.type }).toEqual({ name, type });
      const own = [...(found?.labels ?? [])].filter((label) => !ofWorkflows.includes(label));
      expect({ name, labels: own.filter((label) => label !== 'le').sort() }).toEqual({
        name,
        labels: [...labels].sort(),
      });
    }
    const ours = [...servedByWorker.keys()].filter((name) => name.startsWith('steadfast_'));
    expect(ours.sort()).toEqual(ofWorkers.map(([name]) => name).sort());
  });

  test('contain no ids, addresses or amounts in their labels', () => {
    const values = Object.keys(metrics).flatMap((name) => [...(served.get(name)?.values ?? [])]);
    expect(values).toEqual(expect.arrayContaining(['transferStablecoin', 'USDC', '429']));
    expect(values.filter((value) => /0x|[0-9a-f]{8}-[0-9a-f]{4}|\d\.\d/.test(value))).toEqual([]);
  });
});

test('the receiver of notices serves its own, with the labels of the table', () => {
  for (const name of ofReceiver) {
    const { type, labels } = Object.entries(metrics).find(([one]) => one === name)?.[1] ?? {};
    expect({ name, type: served.get(name)?.type }).toEqual({ name, type });
    expect(served.get(name)?.labels).toEqual(new Set(labels));
  }
});

describe('dashboards and alerts', () => {
  test('name only metrics that exist, or that Temporal has when something fails', () => {
    const core = readFileSync(coreFile(), 'latin1');
    const strange = queries.flatMap((query) =>
      metricsOf(query).filter((name) => {
        const inCore = name.replace(/^temporal_/, '').replace(/_(total|seconds)$/, '');
        return !served.has(name) && !(name.startsWith('temporal_') && core.includes(inCore));
      }),
    );
    expect(strange).toEqual([]);
  });

  test('filter and group only by labels that the metrics have', () => {
    for (const query of queries) {
      const known = metricsOf(query).flatMap((name) => [...(served.get(name)?.labels ?? [])]);
      const strange = labelsOf(query).filter((label) => !['le', 'job', ...known].includes(label));
      expect({ ...query, strange }).toEqual({ ...query, strange: [] });
    }
  });

  test('show all our metrics', () => {
    const shown = new Set(panelQueries().flatMap(metricsOf));
    expect(Object.keys(metrics).filter((name) => !shown.has(name))).toEqual([]);
  });

  test('link each alert to an existing page', () => {
    for (const { alert, annotations } of alertRules()) {
      const [page = '', section] = annotations.runbook.split('#');
      const text = readFileSync(join(__dirname, '..', '..', page), 'utf8');
      const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));
      expect({ alert, found: section === undefined || sections.includes(section) }).toEqual({
        alert,
        found: true,
      });
    }
  });

  withPrometheus(`return data for every panel${inVain}`, async () => {
    for (const query of panelQueries()) {
      const samples = (await prometheus?.query(query.expr)) ?? [];
      const numbers = samples.filter(({ value }) => !Number.isNaN(value));
      expect({ ...query, returns: numbers.length > 0 }).toEqual({ ...query, returns: true });
    }
  });

  withPrometheus(`fire for each fault, and for nothing else${inVain}`, async () => {
    const seen: string[] = [];
    for (const { where, expr } of alertQueries()) {
      const samples = (await prometheus?.query(expr)) ?? [];
      if (samples.length > 0) seen.push(where);
    }
    // They depend on the other calls, and on the schedules of other tests. promtool's cases test
    // the numbers.
    const ofAmount = ['ServiceFaults', 'TooManyRequests', 'WaitsForWorkers', 'PeriodsNotStarted'];
    const certain = seen.filter((name) => !ofAmount.includes(name.replace('Steadfast', '')));
    expect(certain).toEqual([
      'SteadfastUnknownOrders',
      'SteadfastNeedsOperator',
      'SteadfastKeyRefused',
    ]);
  });

  withPromtool(`fire when they should${unchecked}`, () => {
    const folder = join(__dirname, '..', 'support', 'observability');
    execFileSync(promtool ?? '', ['check', 'rules', alertsFile]);
    execFileSync(promtool ?? '', ['test', 'rules', join(folder, 'alerts.cases.yml')]);
    const cases = readFileSync(join(folder, 'alerts.cases.yml'), 'utf8');
    for (const { alert } of alertRules()) expect(cases).toContain(`alertname: ${alert}`);
  });
});

/** The metrics of a receiver in a process of its own. */
type Receiver = { target: string; metrics(): Promise<string>; stop(): Promise<void> };

/** Starts a receiver, and waits until the service has told it something. */
async function startReceiver({ sandbox }: Watched): Promise<Receiver> {
  const [port = 0, metricsPort = 0] = await freePorts([0, 0]);
  const target = `127.0.0.1:${metricsPort}`;
  const child = await startWebhooks({
    env: {
      CUSTODY_BASE_URL: sandbox.baseUrl,
      CUSTODY_API_KEY: sandbox.secrets.apiKey,
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_METRICS_ADDRESS: target,
      STEADFAST_WEBHOOKS_PORT: String(port),
      STEADFAST_WEBHOOKS_ENDPOINT: `http://127.0.0.1:${port}/`,
    },
  });
  const metricsNow = async () => (await fetch(`http://${target}/metrics`)).text();
  while (!(await metricsNow()).includes('\nsteadfast_notices_total')) await sleep(100);
  return { target, metrics: metricsNow, stop: () => child.stop() };
}

/** Waits for the worker's next count of the open orders. */
async function counted(): Promise<void> {
  for (let look = 0; look < 1_000; look++) {
    const text = await watched.metrics();
    const isSeen = ['Unknown', 'NeedsOperator'].every((status) =>
      new RegExp(`steadfast_open_orders\\{status="${status}"\\} [1-9]`).test(text),
    );
    // Its moment is the last that a count sets.
    if (isSeen && text.includes('\nsteadfast_open_orders_read_timestamp_seconds')) return;
    await sleep(100);
  }
  throw new Error('The worker has not counted the open orders.');
}

/** Temporal's native library, which contains the names of its metrics. */
function coreFile(): string {
  const folder = join(dirname(require.resolve('@temporalio/core-bridge/package.json')), 'releases');
  const [machine = ''] = readdirSync(folder).filter(
    (name) =>
      name.startsWith(`${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-`) &&
      name.includes(process.platform === 'darwin' ? 'apple' : 'linux'),
  );
  return join(folder, machine, 'index.node');
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
