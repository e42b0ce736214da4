import { z } from 'zod';
import { program } from '../../bench/payouts/startService';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { type Child, startChild } from '../../src/local/childProcess';
import type { Post } from './stage';

/** The ways to flood: each request is checked, or most come before the receiver has answered. */
export const floodKinds = ['checked', 'pipelined'] as const;
type FloodKind = (typeof floodKinds)[number];

const atOnce: Record<FloodKind, number> = { checked: 1, pipelined: 10 };
/** More than the receiver has open at a time. */
const connections = 600;

const report = z.object({ sent: z.number(), connections: z.number(), answers: z.number() });

/** The counts of a flood in each second, and the call that ends it. */
export type Flood = { seconds: z.output<typeof report>[]; stop(): Promise<void> };

/** Starts to send one forged notice, so often in a second, from a process of its own. */
export function startFlood(
  kind: FloodKind,
  { port, post, perS }: { port: number; post: Post; perS: number },
): Flood {
  const seconds: Flood['seconds'] = [];
  const request = rawOf(post).toString('base64');
  const options = { port, request, atOnce: atOnce[kind], connections, perS };
  const child: Child = startChild({
    command: [...program(require.resolve('./flood')), JSON.stringify(options)],
    env: bareEnvironment(),
    onLine: (line) => {
      if (line.startsWith('{')) seconds.push(report.parse(JSON.parse(line)));
    },
  });
  return { seconds, stop: () => child.kill() };
}

function rawOf({ body, headers }: Post): Buffer {
  const lines = Object.entries({ host: 'a', ...headers, 'content-length': String(body.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST / HTTP/1.1\r\n${head}\r\n${body}`);
}
