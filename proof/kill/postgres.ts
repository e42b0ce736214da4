import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/run';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import type { Child } from '../../src/local/childProcess';
import { freePorts } from '../../src/local/freePorts';
import { startReady } from '../../src/local/startReady';

const host = '127.0.0.1';
const user = 'steadfast';
const nobody = 65534;
const readyMs = 60_000;
const initMsMax = 60_000;

/**
 * A kill of the server loses nothing. A kill of the machine may lose the last moments, as with the
 * SQLite of the Temporal server beside it.
 */
const settings = ['fsync=off', 'max_connections=100', `listen_addresses=${host}`];

export type Postgres = {
  /** The process of now. */
  readonly child: Child;
  port: number;
  user: string;
  /** Names a database that is not there yet. */
  url: string;
  /** Sends SIGKILL, like a crash. Its folder stays. */
  kill(): Promise<void>;
  /** Starts it again with the same folder and address. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** True when the programs of Postgres are installed. */
export async function hasPostgres(): Promise<boolean> {
  const found = await Promise.all(
    ['initdb', 'postgres'].map((name) => run([name, '--version'], { quiet: true })),
  );
  return found.every(({ code }) => code === 0);
}

/** Starts a Postgres of its own in a folder that goes with it. */
export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-postgres-'));
  const as = unprivileged(folder);
  const data = join(folder, 'data');
  const init = [...as, 'initdb', '-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  const { code, output } = await run(init, { quiet: true, timeoutMs: initMsMax });
  if (code !== 0) throw new Error(`initdb ended with code ${code}. Its last words:\n${output}`);
  const [port = 0] = await freePorts([0]);
  const flags = [...settings, `port=${port}`, `unix_socket_directories=${folder}`];
  const [program = '', ...args] = [
    ...as,
    'postgres',
    '-D',
    data,
    ...flags.flatMap((setting) => ['-c', setting]),
  ];
  const launch = () =>
    startReady({
      command: [program, ...args],
      env: bareEnvironment(),
      ready: /database system is ready to accept connections/,
      timeoutMs: readyMs,
    });
  let { child } = await launch();
  const start = async (): Promise<void> => {
    ({ child } = await launch());
  };
  const stop = async (): Promise<void> => {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    get child() {
      return child;
    },
    port,
    user,
    url: `postgresql://${user}@${host}:${port}/bench`,
    kill: () => child.kill(),
    start,
    stop,
  };
}

/** Postgres does not run as root: in a container that has nobody else it runs as nobody. */
function unprivileged(folder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  chownSync(folder, nobody, nobody);
  return ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
}
