import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import { refId } from '../../src/custody/reference';
import type { Child } from '../../src/local/childProcess';
import { freePorts } from '../../src/local/freePorts';
import { startTemporal } from '../../src/local/startTemporal';
import { startWebhooks } from '../../src/local/startWebhooks';

/** A body and its headers, ready to be posted. */
export type Post = { body: string; headers: Record<string, string> };

/** A receiver in a process of its own, Temporal, orders that wait, and a service that has a key. */
export type Stage = {
  receiver: Child;
  port: number;
  /** Posts to the receiver. Returns the status, or 0 without an answer. */
  send(post: Post): Promise<number>;
  /** A genuine notice for the order with a number. Each is about a transaction of its own. */
  notice(order: number): Post;
  /** The same notice with a signature of another body, and the true key's id. */
  forged(order: number): Post;
  /** The same notice under a key id that nobody knows. */
  strangeKey(order: number): Post;
  /** Look-ups of keys that the service was asked for. */
  lookUps(): number;
  stop(): Promise<void>;
};

const keyId = randomUUID();
const connections = 64;

/** Starts everything, with so many orders that wait. No worker carries them out. */
export async function startStage(orders: number): Promise<Stage> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const service = await startKeyService(key);
  const temporal = await startTemporal({ headless: true, port: 0 });
  const connection = await Connection.connect({ address: temporal.address });
  await startWaiting(new Client({ connection }), orders);
  const [port = 0] = await freePorts([0]);
  const receiver = await startWebhooks({
    env: {
      TEMPORAL_ADDRESS: temporal.address,
      CUSTODY_BASE_URL: `${service.origin}/v1/w3s`,
      CUSTODY_API_KEY: 'TEST_API_KEY:a:b',
      STEADFAST_WEBHOOKS_PORT: String(port),
    },
  });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  const signatureOf = (body: string): string =>
    sign('sha256', Buffer.from(body), privateKey).toString('base64');
  const postOf = (body: string, signature: string, id = keyId): Post => ({
    body,
    headers: {
      'content-type': 'application/json',
      'x-circle-key-id': id,
      'x-circle-signature': signature,
    },
  });
  const foreignSignature = signatureOf('{}');
  return {
    receiver,
    port,
    send: (post) => sendTo(pool, post),
    notice: (order) => {
      const body = bodyOf(order);
      return postOf(body, signatureOf(body));
    },
    forged: (order) => postOf(bodyOf(order), foreignSignature),
    strangeKey: (order) => postOf(bodyOf(order), foreignSignature, randomUUID()),
    lookUps: service.asked,
    stop: async () => {
      await pool.destroy();
      await receiver.stop();
      await connection.close();
      await temporal.stop();
      service.stop();
    },
  };
}

async function sendTo(pool: Pool, { body, headers }: Post): Promise<number> {
  try {
    const answer = await pool.request({ path: '/', method: 'POST', body, headers });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  }
}

function idOf(order: number): string {
  return `transfer:waiting-${order}`;
}

async function startWaiting(client: Client, orders: number): Promise<void> {
  const ids = Array.from({ length: orders }, (_, order) => idOf(order));
  while (ids.length > 0) {
    const some = ids.splice(0, 50);
    await Promise.all(
      some.map((workflowId) =>
        client.workflow.start('transferStablecoin', { workflowId, taskQueue: 'nobody' }),
      ),
    );
  }
}

function bodyOf(order: number): string {
  const parts = { workflowId: idOf(order), step: 'transfer', item: '0', generation: 0 };
  return JSON.stringify({
    subscriptionId: keyId,
    notificationId: randomUUID(),
    notificationType: 'transactions.outbound',
    notification: { id: randomUUID(), state: 'COMPLETE', refId: refId(parts), amounts: ['1'] },
    timestamp: new Date().toISOString(),
    version: 2,
  });
}

async function startKeyService(publicKey: string) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const isKnown = request.url?.endsWith(keyId) ?? false;
    const data = { id: keyId, algorithm: 'ECDSA_SHA_256', publicKey, createDate: '' };
    const body = isKnown ? { data } : { code: 404, message: 'not found' };
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked: () => asked,
    stop: () => void server.close().closeAllConnections(),
  };
}
