import type { AddressInfo, Server } from 'node:net';

/** A proxy's own address, which can be shut as the address of a dead process is, and opened again. */
export type Doorway = {
  port: number;
  /** Ends every connection and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
};

/** Ports below those that connections are given, so that no client can take a shut doorway's. */
const firstPort = 10_000;
const portCount = 10_000;
const triesMax = 20;

/** Has a server listen on a quiet port of its own. `disconnect` ends all its connections. */
export async function listenAgain(server: Server, disconnect: () => void): Promise<Doorway> {
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve(portOf(server.address()));
      });
    });
  const port = await listenSomewhere(listen);
  return {
    port,
    shut: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        disconnect();
      }),
    open: async () => {
      if (!server.listening) await listen(port);
    },
  };
}

async function listenSomewhere(listen: (port: number) => Promise<number>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    try {
      return await listen(port);
    } catch (error) {
      if (tries === triesMax) throw error;
    }
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The port was lost.');
  return address.port;
}
