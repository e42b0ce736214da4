import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A wire to a server that can be cut, or that swallows everything. */
export type Wire = {
  port: number;
  /** Sees what a client sends before the server does. It may cut or block the wire. */
  onSent: (text: string) => 'pass' | 'loseAnswer' | 'swallow';
  close(): Promise<void>;
};

/** Passes the bytes of any number of connections on to a port of this machine. */
export async function startWire(to: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(to, '127.0.0.1');
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      const verdict = wire.onSent(bytes.toString('latin1'));
      isCut ||= verdict === 'loseAnswer';
      if (verdict !== 'swallow') upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const wire: Wire = {
    port,
    onSent: () => 'pass',
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return wire;
}
