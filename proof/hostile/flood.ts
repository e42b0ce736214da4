import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/**
 * A program that writes one prebuilt request to the receiver again and again, over raw connections.
 * It prints its counts each second. It has a process of its own, so that it delays no true notice.
 */
const options = z.object({
  port: z.number(),
  /** The bytes of one request, in base64. */
  request: z.base64(),
  /** Requests that a connection gets in one write, before any answer. */
  atOnce: z.number(),
  connections: z.number(),
  /** The most requests in a second. */
  perS: z.number(),
});

const flood = options.parse(JSON.parse(process.argv[2] ?? ''));
const one = Buffer.from(flood.request, 'base64');
const bytes = Buffer.concat(Array.from({ length: flood.atOnce }, () => one));
const turnMs = 10;
let [allowed, sent, connections, answers] = [0, 0, 0, 0];

/** Connects, sends, and sends again after an answer as long as the receiver lets it. */
function attack(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: flood.port, host: '127.0.0.1', noDelay: true });
    const send = (): void => {
      allowed -= flood.atOnce;
      sent += flood.atOnce;
      socket.write(bytes);
    };
    connections += 1;
    socket.once('connect', send);
    socket.on('data', () => {
      answers += 1;
      if (allowed > 0 && !socket.writableEnded) send();
      else socket.end();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
}

async function attackAlways(): Promise<void> {
  for (;;) {
    if (allowed > 0) await attack();
    else await sleep(turnMs);
  }
}

setInterval(() => {
  const more = (flood.perS * turnMs) / 1_000;
  allowed = Math.min(allowed + more, flood.perS / 10);
}, turnMs);
setInterval(() => {
  console.log(JSON.stringify({ sent, connections, answers }));
  [sent, connections, answers] = [0, 0, 0];
}, 1_000);
for (let index = 0; index < flood.connections; index++) void attackAlways();
