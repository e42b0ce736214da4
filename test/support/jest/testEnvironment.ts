import { AsyncLocalStorage } from 'node:async_hooks';
import { ModuleMocker } from 'jest-mock';

const checkMs = 100;
const parent = process.ppid;
const isWorker = process.send !== undefined;

// Temporal's native code keeps a test process alive, after its parent was interrupted and after the
// last test. Jest stops listening to a process that has no more tests. Listening for the broken
// channel would keep the channel, and so the process, alive too.
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
  if (isWorker && process.listenerCount('message') === 0) process.exit();
}, checkMs).unref();

// Each test file loads its own Temporal worker, which adds a listener for good.
process.setMaxListeners(0);

/** The storages that the current test file has used. */
const used = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  used.add(this);
  return run.apply(this, args as never);
} as typeof run;

/**
 * Runs test files in the process itself, without a context of their own for each. Packages are
 * loaded once for all files of a process (see `sharedPackages.js`), so both must have the same
 * `Error` and `Promise`. Each file finds the environment variables that the run was started with.
 */
class OneContext {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  private readonly env = { ...process.env };
  private readonly exit = process.exit;

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    for (const name of Object.keys(process.env)) {
      if (!(name in this.env)) delete process.env[name];
    }
    Object.assign(process.env, this.env);
    process.exit = this.exit;
    // Node carries every storage that is in use through every promise. Storages of earlier files
    // made each file slower than the one before.
    for (const storage of used) storage.disable();
    used.clear();
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}

export = OneContext;
