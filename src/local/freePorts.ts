import { randomInt } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';

const host = '127.0.0.1';

/** One port for each wish: the wished one when nobody has it, any free one otherwise (0: any). */
export async function freePorts(wishes: readonly number[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    // All are held until the last is found, so that no port is given twice.
    for (const wish of wishes) held.push(await hold(wish));
    return held.map(portOf);
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  }
}

async function hold(wish: number): Promise<Server> {
  // A listener on all addresses does not everywhere prevent one on this address: ask it, too.
  if (wish === 0 || (await answers(wish))) return listenAnywhere();
  return listen(wish).catch(listenAnywhere);
}

/**
 * Ports that no system gives to outgoing calls, which could take one before it is used. Ports above
 * them belong to processes that are killed and come back: theirs look free meanwhile.
 */
const quietPorts = [10_000, 20_000] as const;

async function listenAnywhere(): Promise<Server> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const port = randomInt(...quietPorts);
    const server = (await answers(port)) ? undefined : await listen(port).catch(() => undefined);
    if (server !== undefined) return server;
  }
  return listen(0);
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy());
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const settle = (found: boolean): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The port was lost.');
  return address.port;
}
