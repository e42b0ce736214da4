import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { listening } from '../../../support/service/listening';

/** A call and its answer over HTTP. */
export type Recorded = {
  method: string;
  /** The path with its query. */
  path: string;
  /** The request's body. */
  sent: string;
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
};

export type Recorder = { origin: string; calls: Recorded[]; stop(): Promise<void> };

/** Passes every call on to a service unchanged, and records the answers. */
export async function startRecorder(target: string): Promise<Recorder> {
  const calls: Recorded[] = [];
  const server = createServer((asked, answered) => {
    pass(target, asked, answered).then(
      (call) => calls.push(call),
      () => answered.destroy(),
    );
  });
  const { url: origin, close: stop } = await listening(server);
  return {
    origin,
    calls,
    stop,
  };
}

async function pass(
  target: string,
  asked: IncomingMessage,
  answered: ServerResponse,
): Promise<Recorded> {
  const { method = 'GET', url: path = '/', headers } = asked;
  const sent = asked.toArray();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { host: _, ...passed } = headers;
    const { request } = target.startsWith('https:') ? https : http;
    const passing = request(target + path, { method, headers: passed }, resolve);
    asked.pipe(passing.on('error', reject));
  });
  const body = Buffer.concat(await answer.toArray());
  const status = answer.statusCode ?? 0;
  answered.writeHead(status, answer.headers).end(body);
  const text = body.toString('utf8');
  return {
    method,
    path,
    sent: Buffer.concat(await sent).toString('utf8'),
    status,
    headers: answer.headers,
    text,
  };
}
