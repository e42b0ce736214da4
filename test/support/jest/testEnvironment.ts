import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const checkMs = 1_000;
const parent = process.ppid;

// Temporal's native code keeps a test process alive after its parent was interrupted. Listening for
// the broken channel would keep the channel, and so the process, alive too.
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, checkMs).unref();

/** The storages that the current test file has used. */
const used = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  used.add(this);
  return run.apply(this, args as never);
} as typeof run;

/**
 * Node carries every storage that is in use through every promise. Each test file loads Temporal's
 * code again, and with it up to 40 new storages. Those of earlier files made each file slower than
 * the one before.
 */
class OwnStorages extends TestEnvironment {
  override async teardown(): Promise<void> {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}

export = OwnStorages;
