import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox';

const eurc = '4ea52a96-e6ae-56dc-8336-385bb238755f';
const native = '15dc2b5d-0994-58b0-bf8c-3a0501148ee8';
const url = 'config/entity/monitoredTokens';
const secrets = { apiKey: 'TEST_API_KEY:monitored:secret', entitySecret: '70ce'.repeat(16) };

let sandbox: TestSandbox;
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
  sandbox = await startTestSandbox({ dataDir, ...secrets });
});
afterEach(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

const send = async (method: string, path: string, body?: object) => {
  const answer = await sandbox.request(method, path, body === undefined ? {} : { body });
  return { status: answer.status, body: answer.body };
};

it('are answered with 204 until the first is chosen, and then with 201 and with 200', async () => {
  expect(await send('GET', url)).toEqual({ status: 204, body: undefined });
  const chosen = await send('POST', url, { tokenIds: [eurc, eurc.toUpperCase()] });
  expect(chosen).toMatchObject({ status: 201, body: { data: { tokens: [{ id: eurc }] } } });
  expect(await send('POST', url, { tokenIds: [eurc] })).toEqual({ ...chosen, status: 200 });
  expect(await send('GET', url)).toEqual({ ...chosen, status: 200 });
});

it('are removed with an empty answer, also those that are not there', async () => {
  await send('POST', url, { tokenIds: [eurc, native] });
  const gone = { tokenIds: [eurc, randomUUID()] };
  expect(await send('POST', `${url}/delete`, gone)).toEqual({ status: 200, body: undefined });
  const { tokens = [] } = (await sandbox.client.listMonitoredTokens({})) ?? {};
  expect(tokens.map(({ id }) => id)).toEqual([native]);
});

it('go from page to page, the newest first', async () => {
  await send('POST', url, { tokenIds: [eurc] });
  await send('POST', url, { tokenIds: [native] });
  const first = await sandbox.client.listMonitoredTokens({ pageSize: 1 });
  expect(first?.tokens.map(({ id }) => id)).toEqual([native]);
  const second = await sandbox.client.listMonitoredTokens({ pageSize: 1, pageAfter: native });
  expect(second?.tokens.map(({ id }) => id)).toEqual([eurc]);
});

it('are kept as they were when one of several is unknown', async () => {
  const refused = { status: 404, body: { code: 156002 } };
  const unknown = { tokenIds: [native, randomUUID()] };
  expect(await send('POST', url, unknown)).toMatchObject(refused);
  expect(await send('GET', url)).toMatchObject({ status: 204 });
  await send('POST', url, { tokenIds: [eurc] });
  expect(await send('PUT', url, unknown)).toMatchObject(refused);
  const { tokens = [] } = (await sandbox.client.listMonitoredTokens({})) ?? {};
  expect(tokens.map(({ id }) => id)).toEqual([eurc]);
});

it('are the same when the sandbox has been started again', async () => {
  const wallet = await sandbox.fundedWallet();
  await send('POST', url, { tokenIds: [eurc] });
  await sandbox.stop();
  sandbox = await startTestSandbox({ dataDir, ...secrets });
  expect(await sandbox.client.listMonitoredTokens({})).toMatchObject({ scope: 'SELECTED' });
  const { tokenBalances } = await sandbox.client.listBalances({ id: wallet.id });
  expect(tokenBalances.map(({ token }) => token.id)).toEqual([eurc]);
});

it('are not selected by a list that is replaced with an empty one', async () => {
  const answer = await send('PUT', url, {});
  expect(answer).toEqual({ status: 200, body: { data: { scope: 'MONITOR_ALL', tokens: [] } } });
});

it.each([
  ['POST', url, { tokenIds: [] }],
  ['POST', url, { tokenIds: ['eurc'] }],
  ['POST', `${url}/delete`, {}],
  ['PUT', `${url}/scope`, { scope: 'NONE' }],
])('refuse %s %s %j', async (method, path, body) => {
  expect(await send(method, path, body)).toMatchObject({ status: 400, body: { code: 2 } });
});
