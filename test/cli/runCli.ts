import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** What one run of the command line came to. */
export type Ran = { code: number | null; stdout: string; stderr: string };

const root = join(__dirname, '..', '..');
const entry = join(root, 'scripts', 'steadfast.js');
const slots: (() => void)[] = [];
/** More at once only slow each other down. */
let free = 4;

/** Starts the real command line; nothing of our environment reaches it but PATH and HOME. */
export function startCli(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: end(child) };
}

/** Runs the real command line to its end; a few of the waiting ones at a time. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  if (free === 0) await new Promise<void>((resolve) => slots.push(resolve));
  else free -= 1;
  try {
    return await startCli(args, env).ended;
  } finally {
    const next = slots.shift();
    if (next === undefined) free += 1;
    else next();
  }
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
