import { type Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Malformed } from './requests';

/** An answer. Its status is undefined when the connection ended without one. */
export type Heard = { status: number | undefined; text: string };

const hangMs = 60_000;

/** Sends a request. Rejects when no answer comes in time. */
export function send(origin: URL, agent: Agent, malformed: Malformed): Promise<Heard> {
  const { method, path, headers, body } = malformed;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      method,
      path,
      host: origin.hostname,
      port: origin.port,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      timeout: hangMs,
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
      );
    });
    request.end(body);
  });
}

/** Sends raw bytes and nothing more. Rejects when the service does not close the connection. */
export function sendBytes(origin: URL, bytes: Buffer): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: origin.hostname, port: Number(origin.port) });
    socket.setTimeout(hangMs, () => {
      socket.destroy();
      reject(new Error('no end'));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset ends the connection too.
    socket.on('error', () => {});
    socket.on('close', () => {
      const text = Buffer.concat(chunks)
        // Latin-1 has one character per byte, and lengths are in bytes.
        .toString('latin1')
        .replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/, '');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
      const start = text.indexOf('\r\n\r\n') + 4;
      // Later answers belong to bytes after the first request.
      const body = Buffer.from(text.slice(start, start + length), 'latin1').toString();
      resolve({ status: status === undefined ? undefined : Number(status), text: body });
    });
    socket.end(bytes);
  });
}
