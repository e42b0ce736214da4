import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import { createHandOn, type Receivers } from '../../src/notices/handOn';
import { createNoticeKeys } from '../../src/notices/http/keys';
import type { NoticeOutcome } from '../../src/notices/http/receive';
import { createReceiver } from '../../src/notices/http/server';

/** A receiver in this process, for notices that a key of this test signs. */
export type Hook = {
  url: string;
  port: number;
  outcomes: NoticeOutcome[];
  /** The time of the last notice after each request. */
  lasts: (number | undefined)[];
  /** Posts a body with headers, and returns the status. 0: no answer. */
  post(body: string, headers?: Record<string, string>): Promise<number>;
  /** Headers with a true signature. */
  signed(body: string): Record<string, string>;
  /** Sends raw bytes, and resolves with all that came once the receiver has closed. */
  raw(bytes: string): Promise<string>;
  /** Ids of keys that the service was asked for. */
  asked: string[];
  stop(): Promise<void>;
};

const keyId = '0f3c2a1b-0000-4000-8000-0123456789ab';

export async function startHook(receivers: Receivers): Promise<Hook> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const asked: string[] = [];
  const outcomes: NoticeOutcome[] = [];
  const lasts: (number | undefined)[] = [];
  const server = createReceiver({
    findKey: createNoticeKeys(serviceWith(publicKey, asked), {
      lookEveryMs: 50,
      unknownMs: 60_000,
    }),
    handOn: createHandOn(receivers),
    count: (outcome, lastMs) => {
      outcomes.push(outcome);
      lasts.push(lastMs);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    port,
    outcomes,
    lasts,
    asked,
    signed: (body) => ({
      'content-type': 'application/json',
      'x-circle-key-id': keyId,
      'x-circle-signature': sign('sha256', Buffer.from(body), privateKey).toString('base64'),
    }),
    post: async (body, headers = {}) => {
      const answer = await fetch(url, { method: 'POST', body, headers }).catch(() => undefined);
      return answer?.status ?? 0;
    },
    raw: (bytes) => raw(port, bytes),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}

function serviceWith(
  publicKey: KeyObject,
  asked: string[],
): Pick<CustodyApi, 'getNotificationSignature'> {
  const known = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    getNotificationSignature: async ({ id }) => {
      asked.push(id);
      if (id !== keyId) throw new RefusedError('not found', { status: 404, code: 404 });
      return { id, algorithm: 'ECDSA_SHA_256', publicKey: known, createDate: '' };
    },
  };
}

async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let came = '';
  socket.on('data', (chunk) => {
    came += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return came;
}

/** The body of a notice about a transaction, as the service sends it. */
export function noticeOf(
  notification: Record<string, unknown>,
  fields: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    subscriptionId: randomUUID(),
    notificationId: randomUUID(),
    notificationType: 'transactions.outbound',
    notification: { id: randomUUID(), state: 'COMPLETE', refId: '', ...notification },
    timestamp: new Date().toISOString(),
    version: 2,
    ...fields,
  });
}
