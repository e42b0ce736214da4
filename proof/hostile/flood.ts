import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/**
 * A program of its own, so that its work delays no true notice: it writes one prebuilt request to
 * the receiver again and again, over many raw connections. It prints what it has sent each second.
 */
const variables = z.object({
  FLOOD_PORT: z.coerce.number(),
  /** The bytes of one request, in base64. */
  FLOOD_REQUEST: z.base64(),
  /** Requests that a connection gets in one write, before any answer. */
  FLOOD_AT_ONCE: z.coerce.number(),
  FLOOD_CONNECTIONS: z.coerce.number(),
  /** The most requests in a second. */
  FLOOD_PER_S: z.coerce.number(),
});

const flood = variables.parse(process.env);
const one = Buffer.from(flood.FLOOD_REQUEST, 'base64');
const bytes = Buffer.concat(Array.from({ length: flood.FLOOD_AT_ONCE }, () => one));
const turnMs = 10;
let [allowed, sent, connections, answers] = [0, 0, 0, 0];

/** Connects, sends, and sends again after an answer as long as the receiver lets it. */
function attack(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: flood.FLOOD_PORT, host: '127.0.0.1', noDelay: true });
    const send = (): void => {
      allowed -= flood.FLOOD_AT_ONCE;
      sent += flood.FLOOD_AT_ONCE;
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
  const more = (flood.FLOOD_PER_S * turnMs) / 1_000;
  allowed = Math.min(allowed + more, flood.FLOOD_PER_S / 10);
}, turnMs);
setInterval(() => {
  console.log(JSON.stringify({ sent, connections, answers }));
  [sent, connections, answers] = [0, 0, 0];
}, 1_000);
for (let index = 0; index < flood.FLOOD_CONNECTIONS; index++) void attackAlways();
