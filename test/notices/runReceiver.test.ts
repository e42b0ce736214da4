import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { makeCertificates } from '../../proof/kill/certificates';
import { checkNotices } from '../../src/health/checkNotices';
import type { Child } from '../../src/local/childProcess';
import { freePorts } from '../../src/local/freePorts';
import { startWebhooks } from '../../src/local/startWebhooks';
import { runCli } from '../cli/runCli';
import { newFolder, stopLater } from '../support/jest/setUp';
import { inSandbox } from '../support/sandbox';
import { temporalAddress } from '../support/temporal';

const folder = newFolder();
const sandbox = inSandbox();
let custody: Record<string, string>;
let receiver: Child;
let endpoint: string;

beforeAll(async () => {
  const [port = 0] = await freePorts([0]);
  endpoint = `http://127.0.0.1:${port}/`;
  custody = { CUSTODY_BASE_URL: sandbox.baseUrl, CUSTODY_API_KEY: sandbox.secrets.apiKey };
  const env = {
    ...custody,
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_WEBHOOKS_PORT: String(port),
    STEADFAST_WEBHOOKS_ENDPOINT: endpoint,
  };
  receiver = await startWebhooks({ env });
  stopLater(() => receiver.stop());
});

async function subscriptions(): Promise<number> {
  return (await sandbox.client.listSubscriptions({})).length;
}

test('the receiver subscribes itself, and the test notice arrives', async () => {
  const last = async (): Promise<string | null> =>
    (await fetch(endpoint, { method: 'HEAD' })).headers.get('last-notice');
  while ((await last()) === null) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await subscriptions()).toBe(1);
});

test('a receiver that has heard nothing tells the time of its start, so that silence is seen', async () => {
  const [port = 0, metricsPort = 0] = await freePorts([0, 0]);
  const [target, quiet] = [`127.0.0.1:${metricsPort}`, `http://127.0.0.1:${port}/`];
  const beganS = Date.now() / 1_000;
  const silent = await startWebhooks({
    env: {
      ...custody,
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_WEBHOOKS_PORT: String(port),
      STEADFAST_METRICS_ADDRESS: target,
    },
  });
  const metrics = await (await fetch(`http://${target}/metrics`)).text();
  const [, toldS] = /^steadfast_last_notice_timestamp_seconds ([\d.e+]+)$/m.exec(metrics) ?? [];
  expect(Number(toldS)).toBeGreaterThanOrEqual(beganS);
  const [own] = await sandbox.client.listSubscriptions({});
  const asked = { listSubscriptions: async () => (own ? [{ ...own, endpoint: quiet }] : []) };
  expect(await checkNotices(asked)).toMatchObject({
    state: 'fine',
    words: `${quiet} answers, and no notice has come since it started`,
  });
  await silent.stop();
});

test('the doctor says that notices arrive, or that nobody answers, or that nobody asked', async () => {
  expect(await checkNotices(sandbox.client)).toMatchObject({
    state: 'fine',
    words: expect.stringMatching(/answers, and the last came 20\d\d-/),
  });
  const dead = 'http://127.0.0.1:9/';
  const [own] = await sandbox.client.listSubscriptions({});
  const { id = '', name = '' } = own ?? {};
  await sandbox.client.updateSubscription({ id, name, enabled: false });
  expect(await checkNotices(sandbox.client)).toMatchObject({
    state: 'fault',
    belongsTo: 'operator',
  });
  expect((await runCli(['webhooks', 'remove', id], custody)).stdout).toMatch(/^Removed: /);
  expect(await checkNotices(sandbox.client)).toMatchObject({ state: 'skipped' });
  const refused = await runCli(['webhooks', 'subscribe', dead], custody);
  const words = /^Error: url: .* refused .* with HEAD first: start the receiver there/;
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
});

test('the commands subscribe, list and remove, and may be repeated', async () => {
  const subscribe = () => runCli(['webhooks', 'subscribe', endpoint], custody);
  expect((await subscribe()).stdout).toMatch(/^Subscribed: http/);
  expect((await subscribe()).stdout).toMatch(/^Subscribed before: http/);
  expect(await subscriptions()).toBe(1);
  const listed = await runCli(['webhooks', 'list'], custody);
  expect(listed.stdout).toMatch(/ enabled +http.* transactions\.\*/);
  const remove = () => runCli(['webhooks', 'remove', endpoint], custody);
  expect((await remove()).stdout).toMatch(/^Removed: http/);
  expect(await remove()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^There is no /) });
  const wrong = await runCli(['webhooks', 'subscribe', 'hooks'], custody);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Error: url: /) });
});

test('the receiver serves TLS with a certificate of its own', async () => {
  const { server } = await makeCertificates(folder);
  const [port = 0] = await freePorts([0]);
  const env = {
    ...custody,
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_WEBHOOKS_PORT: String(port),
    STEADFAST_WEBHOOKS_TLS_CERT: server.cert,
    STEADFAST_WEBHOOKS_TLS_KEY: server.key,
  };
  const secure = await startWebhooks({ env });
  const status = await new Promise((resolve, reject) => {
    const options = { port, method: 'HEAD', ca: readFileSync(server.ca) };
    request('https://127.0.0.1/', options, ({ statusCode }) => resolve(statusCode))
      .once('error', reject)
      .end();
  });
  expect(status).toBe(200);
  await secure.stop();
});
