import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type ChildOptions = {
  /** Name in errors. Its program unless given. */
  name?: string;
  /** Program and its arguments. The program must be the real binary and not a wrapper. */
  command: readonly [program: string, ...args: string[]];
  /** The child's whole environment. Nothing else is inherited. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Sees every line the child prints, on either stream. */
  onLine?: (line: string) => void;
};

/** A running child process, with the only two ways to end it. */
export type Child = {
  /** Leader of the child's own process group, so that signals reach nothing else. */
  pid: number;
  /** Resolves with the exit code once the process has ended. The code is null after a signal. */
  exited: Promise<number | null>;
  /** The last lines printed, newest last. Shown when the process ends unexpectedly. */
  lastLines(): string[];
  /** Resolves with the first line that matches. Rejects when the child ends or the time is up. */
  waitForLine(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray>;
  /** Sends SIGTERM, then SIGKILL after the grace. Resolves once the process is gone. */
  stop(graceMs?: number): Promise<void>;
  /** Sends SIGKILL at once, like a crash. */
  kill(): Promise<void>;
};

const keptLinesMax = 50;

/**
 * The child holds a pipe from this process as its lifeline. When this process ends, in whatever
 * way, the pipe closes and the shell ends the child. So a killed parent leaves nothing running.
 */
const lifeline = [
  'exec 3<&0',
  '"$@" 3<&- </dev/null & child=$!',
  // The whole group got the signal, and so did the child. The shell stays only to collect it.
  'trap : TERM INT HUP',
  '{ cat <&3 >/dev/null; kill -TERM $child; sleep 3; kill -KILL $child; } 2>/dev/null & watch=$!',
  'wait $child; code=$?',
  // A trapped signal ends the first wait early. The second one collects the child.
  'while kill -0 $child 2>/dev/null; do wait $child; code=$?; done',
  'kill $watch 2>/dev/null; exit $code',
].join('\n');

/** Starts a program in its own process group. It cannot outlive this process. */
export function startChild(options: ChildOptions): Child {
  const { name = options.command[0] } = options;
  const child = spawn('/bin/sh', ['-c', lifeline, 'sh', ...options.command], {
    env: options.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The lifeline breaks when the child ends, which is no error of ours.
  child.stdin.on('error', () => {});
  const kept: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const onLine = (line: string): void => {
    kept.push(line);
    if (kept.length > keptLinesMax) kept.shift();
    options.onLine?.(line);
    for (const listener of listeners) listener(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', onLine);
  }
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('Cannot start a process: /bin/sh is missing.');
  return {
    pid,
    exited,
    lastLines: () => [...kept],
    waitForLine: (pattern, timeoutMs) =>
      waitForLine({ pattern, timeoutMs, kept, listeners, exited, name }),
    stop: (graceMs = 10_000) => end(child, exited, graceMs),
    kill: () => end(child, exited, 0),
  };
}

async function end(
  child: ChildProcess,
  exited: Promise<number | null>,
  graceMs: number,
): Promise<void> {
  signalGroup(child, graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group ended between the check and the signal.
  }
}

function waitForLine(wait: {
  pattern: RegExp;
  timeoutMs: number;
  kept: string[];
  listeners: Set<(line: string) => void>;
  exited: Promise<number | null>;
  name: string;
}): Promise<RegExpMatchArray> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      wait.listeners.delete(look);
      act();
    };
    const fail = (what: string): void => {
      const lines = wait.kept.length === 0 ? 'It has said nothing.' : 'Its last lines:';
      const words = [`${wait.name} ${what} ${lines}`, ...wait.kept].join('\n');
      settle(() => reject(new Error(words)));
    };
    const look = (line: string): void => {
      const match = line.match(wait.pattern);
      if (match) settle(() => resolve(match));
    };
    const timer = setTimeout(() => {
      const seconds = wait.timeoutMs / 1_000;
      fail(`was not ready within ${seconds} s. Is the machine busy? Try again when it is not.`);
    }, wait.timeoutMs);
    wait.listeners.add(look);
    for (const line of wait.kept) look(line);
    void wait.exited.then((code) => fail(`ended with code ${code}.`));
  });
}
