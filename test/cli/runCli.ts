import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { run } from '../../src/cli/run';

/** The result of one call of the command line. */
export type Ran = { code: number | null; stdout: string; stderr: string };

const root = join(__dirname, '..', '..');
const entry = join(root, 'scripts', 'steadfast.js');

/** Starts the real command line. It gets only PATH and HOME of our environment. */
export function startCli(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: end(child) };
}

/** Programs that run until a signal, and traces of the program's own files. */
const needsProcess = ['worker', 'sandbox', 'codec', 'dev', 'bundle', '--debug'];

/**
 * Runs a command to its end. It runs in this process, with streams and an environment of its own,
 * unless only a process can show what it does.
 */
export async function runCli(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  if (args.some((arg) => needsProcess.includes(arg))) return startCli(args, env).ended;
  const { PATH = '', HOME = '' } = process.env;
  const stdout = recorder();
  const stderr = recorder();
  const all: NodeJS.ProcessEnv = { PATH, HOME, ...env };
  const terminal = { env: all, stdin: new PassThrough(), stdout, stderr, ...patience(all) };
  const code = await run(args, terminal);
  return { code: code ?? null, stdout: stdout.text(), stderr: stderr.text() };
}

/** Nothing listens on port 1, so there is nothing to wait for. */
function patience({ TEMPORAL_ADDRESS }: NodeJS.ProcessEnv) {
  return TEMPORAL_ADDRESS === '127.0.0.1:1' ? { connectTimeoutMs: 500 } : {};
}

/** A stream that keeps what is written to it. */
export function recorder() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString('utf8') });
}

function end(child: ChildProcess): Promise<Ran> {
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    ran.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    ran.stderr += chunk;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ ...ran, code }));
  });
}
