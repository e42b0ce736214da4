import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { type LocalTemporal, startTemporal } from '../../src/local/startTemporal';
import { attributeNames } from '../../src/orders/progress/status';

const running: LocalTemporal[] = [];
const folder = mkdtempSync(join(tmpdir(), 'steadfast-temporal-'));

async function start(options: Parameters<typeof startTemporal>[0] = {}): Promise<LocalTemporal> {
  const temporal = await startTemporal({ port: 0, headless: true, ...options });
  running.push(temporal);
  return temporal;
}

/** Reads the server's search attributes and its retention. */
async function examine({ address, namespace }: LocalTemporal): Promise<unknown> {
  const connection = await Connection.connect({ address });
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  await connection.close();
  return {
    days: Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400,
    attributes: Object.keys(known.customAttributes ?? {}),
  };
}

afterAll(async () => {
  await Promise.all(running.map((temporal) => temporal.stop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('startTemporal', () => {
  test('remembers orders for 30 days, and knows our search attributes', async () => {
    expect(await examine(await start())).toEqual({
      days: 30,
      attributes: expect.arrayContaining([...attributeNames]),
    });
  });

  test('takes other ports when two of them start at once', async () => {
    const first = await start();
    const port = Number(first.address.split(':')[1]);
    await first.stop();
    const both = await Promise.all([start({ port }), start({ port })]);
    expect(new Set(both.map(({ address }) => address)).size).toBe(2);
    await Promise.all(both.map(examine));
  });

  test('keeps what it knows in its folder, through a crash', async () => {
    const first = await start({ dataDir: folder });
    const id = await systemId(first);
    await first.kill();
    expect(await systemId(await start({ dataDir: folder }))).toBe(id);
    expect(await systemId(await start())).not.toBe(id);
  });

  test('leaves nothing running when it is stopped while it starts', async () => {
    const abort = new AbortController();
    const starting = startTemporal({ port: 0, headless: true, signal: abort.signal });
    abort.abort(new Error('no longer wanted'));
    await expect(starting).rejects.toThrow('no longer wanted');
  });
});

/** Made by the server when its storage is new. */
async function systemId({ address }: LocalTemporal): Promise<string> {
  const connection = await Connection.connect({ address });
  const { namespaceInfo } = await connection.workflowService.describeNamespace({
    namespace: 'default',
  });
  const { clusterId } = await connection.workflowService.getClusterInfo({});
  await connection.close();
  return `${namespaceInfo?.id} ${clusterId}`;
}
