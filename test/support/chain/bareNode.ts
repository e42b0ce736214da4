import { binaryPath } from '../../../sandbox/chain/node/anvil';
import { startChild } from '../../../src/local/childProcess';

/** A node that mines when it is told to, and remembers what was true at each block. */
export async function startBareNode(): Promise<{ rpcUrl: string; stop(): Promise<void> }> {
  const child = startChild({
    command: [binaryPath(), '--port', '0', '--accounts', '0', '--no-mining'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  const [, address] = await child.waitForLine(/Listening on (\S+)/, 15_000);
  return { rpcUrl: `http://${address}`, stop: child.stop };
}
