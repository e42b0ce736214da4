import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(__dirname, '..', '..', '..');

/** A development stack of its own folder, as a process. Everything that it says is kept. */
export function startDev(folder = mkdtempSync(join(tmpdir(), 'steadfast-dev-'))) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts', 'steadfast.js'), 'dev'], {
    cwd: folder,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const exited = new Promise<number | null>((done) => child.once('close', done));
  return {
    folder,
    exited,
    said: () => said,
    until: async (words: string): Promise<void> => {
      while (!said.includes(words)) {
        if (child.exitCode !== null) throw new Error(`It has ended. It said:\n${said}`);
        await sleep(100);
      }
    },
    /** The process that runs a part of this stack. */
    pidOf: (words: string) => pidBelow(child.pid ?? 0, words),
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The descendant of a process whose command ends in these words. Shells around it are passed. */
function pidBelow(above: number, words: string): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = rows.split('\n').flatMap((row) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const below = new Set([above]);
  for (let before = 0; before < below.size; ) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  const found = all.find(({ pid, args }) => {
    return below.has(pid) && args.endsWith(words) && !args.startsWith('/bin/sh');
  });
  if (found === undefined) throw new Error(`No process of it runs "${words}".`);
  return found.pid;
}
