import { execFileSync } from 'node:child_process';

const checkMs = 1_000;

/**
 * Stops this process, as SIGTERM does, once the npx that runs it is gone. A killed npx passes no
 * signal on, so nothing else would end the sandbox and its chain.
 */
export function endWithNpx(isStopping: () => boolean): void {
  const npx = npxPid();
  const timer = setInterval(() => {
    if (isAlive(npx)) return;
    clearInterval(timer);
    if (isStopping()) return;
    process.stderr.write('The sandbox ends, because the npx that started it has ended.\n');
    process.kill(process.pid, 'SIGTERM');
  }, checkMs);
  timer.unref();
}

/** The parent process, or its parent where npx has put a shell between itself and this process. */
function npxPid(): number {
  try {
    const options = ['-o', 'ppid=,args=', '-p', String(process.ppid)];
    const [, pid, command = ''] =
      execFileSync('ps', options, { encoding: 'utf8' }).match(/^\s*(\d+)\s+(.*)/) ?? [];
    return /^\S*sh -c /.test(command) ? Number(pid) : process.ppid;
  } catch {
    // A machine without ps. Where the shell has replaced itself, the parent is npx all the same.
    return process.ppid;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
