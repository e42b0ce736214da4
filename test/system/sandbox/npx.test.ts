import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../../../src/local/bareEnvironment';

const root = `${__dirname}/../../..`;

it('a sandbox and its chain end when the npx that started them is killed', async () => {
  const npx = spawn('npx', ['--no-install', 'steadfast', 'sandbox', '--port', '0'], {
    cwd: root,
    env: bareEnvironment({}),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const baseUrl = await ready(npx);
  const info = await (await fetch(new URL('/_sandbox/info', baseUrl))).json();
  const nodePid = Number(Object(info).nodePid);
  expect(isAlive(nodePid)).toBe(true);
  // Only npx itself: not the shell and the sandbox in its process group.
  process.kill(Number(npx.pid), 'SIGKILL');
  while (isAlive(nodePid)) await sleep(50);
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

/** Resolves with the address that the sandbox prints. */
function ready(npx: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [npx.stdout, npx.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const [, url] = line.match(/^Sandbox ready: (\S+)$/) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
    npx.once('exit', () => reject(new Error(said.join('\n'))));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
