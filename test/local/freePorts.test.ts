import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../src/local/freePorts';

async function listen(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('freePorts', () => {
  test('gives the wished port when nobody has it', async () => {
    const [port = 0] = await freePorts([0]);
    expect(await freePorts([port])).toEqual([port]);
  });

  test('gives another port when somebody listens on the wished one', async () => {
    const [port = 0] = await freePorts([0]);
    const server = await listen(port);
    const [other] = await freePorts([port]);
    server.close();
    expect(other).not.toBe(port);
    expect(other).toBeGreaterThan(0);
  });

  test('gives a port back though a client connects to it again and again', async () => {
    const [port = 0] = await freePorts([0]);
    const clients: Socket[] = [];
    // A client that waits for a server which was there before. It keeps what it gets.
    const calling = setInterval(() => {
      for (let count = 0; count < 20; count++) {
        clients.push(connect(port, '127.0.0.1').on('error', () => {}));
      }
    }, 1);
    try {
      for (let turn = 0; turn < 20; turn++) {
        const given = await Promise.race([freePorts([port, 0, 0]), sleep(5_000, 'still held')]);
        expect(given).toHaveLength(3);
      }
    } finally {
      clearInterval(calling);
      for (const client of clients) client.destroy();
    }
  });

  test('never gives one port twice', async () => {
    const [port = 0] = await freePorts([0]);
    const ports = await freePorts([port, port, 0, 0, 0]);
    expect(new Set(ports).size).toBe(5);
  });
});
