import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnvironment } from '../../../../src/local/bareEnvironment';
import type { Python } from '../../../support/pythonSdks';
import type { SdkOptions } from '../sdk/sdks';

/** The result of a call: an answer with its status, or the SDK's own error. */
export type Came = { status: number; text: string } | { fault: string };

/** The Python SDKs in a process of their own, which ends with this one. */
export type Bridge = {
  /** All methods of the SDKs. */
  names: readonly string[];
  /** Calls a method, such as `WalletsApi.get_wallet`, with the fields of its path, query, body. */
  call(method: string, input: object): Promise<Came>;
  stop(): Promise<void>;
};

export async function startBridge(python: Python, options: SdkOptions): Promise<Bridge> {
  const child = spawn(python.program, [join(__dirname, 'bridge.py')], {
    env: bareEnvironment({
      ...python.env,
      BRIDGE_HOST: options.baseUrl,
      BRIDGE_API_KEY: options.apiKey,
      BRIDGE_ENTITY_SECRET: options.entitySecret,
    }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (came: Came) => void>();
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { names, id, ...came } = JSON.parse(line);
      if (names !== undefined) resolve(names);
      waiting.get(id)?.(came);
      waiting.delete(id);
    });
    void ended.then(() => {
      reject(new Error('The Python SDKs have ended. Their output is above.'));
      for (const tell of waiting.values()) tell({ fault: 'The Python SDKs have ended.' });
    });
  });
  const names = await ready;
  let count = 0;
  return {
    names,
    call: (method, input) =>
      new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        child.stdin.write(`${JSON.stringify({ id: count, method, input })}\n`);
      }),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
