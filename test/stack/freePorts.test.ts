import { createServer, type Server } from 'node:net';
import { freePorts } from '../../src/stack/freePorts';

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

  test('never gives one port twice', async () => {
    const [port = 0] = await freePorts([0]);
    const ports = await freePorts([port, port, 0, 0, 0]);
    expect(new Set(ports).size).toBe(5);
  });
});
