import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { ModuleMocker } from 'jest-mock';

const checkMs = 1_000;
const parent = process.ppid;

// Temporal's native code keeps a test process alive after its parent was interrupted. Listening for
// the broken channel would keep the channel, and so the process, alive too.
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, checkMs).unref();

/** Many tests provoke refusals and retries. Only faults of the worker itself are logged. */
const quiet = {
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
  },
};

/**
 * All test files of a process share one global scope, so that they can share packages. Each one
 * leaves it as it was.
 */
class SharedScope {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly #names = new Set(Reflect.ownKeys(globalThis));
  readonly #env = { ...process.env };
  readonly #exit = process.exit;

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Required by Jest, but unused: the runtime compiles for the scope of the process. */
  getVmContext(): object {
    return {};
  }

  async setup(): Promise<void> {
    // A test of metrics leaves its own options behind.
    Runtime.defaultOptions = quiet;
  }

  async teardown(): Promise<void> {
    for (const name of Reflect.ownKeys(globalThis)) {
      if (!this.#names.has(name)) Reflect.deleteProperty(globalThis, name);
    }
    process.env = this.#env;
    process.exit = this.#exit;
  }
}

export = SharedScope;
