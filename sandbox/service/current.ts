import { ApiError } from '../errors/errors';
import type { Running } from './running';

/** The running service behind the server. It can be replaced while the port stays. */
export type Current = ReturnType<typeof createCurrent>;

const replacedMessage =
  'The sandbox was put back to a snapshot while this was under way, and nothing of it is left.';

/** Starts the first of those that run one after the other. */
export function createCurrent(create: () => Running) {
  let running = create();
  let ready: Promise<Running> = Promise.resolve(running);
  return {
    /** Waits while it is being replaced. */
    use: () => ready,
    /**
     * Stops the running service, changes the records, and starts another service on them. If the
     * change fails, the old records are still there. New calls wait. Pending calls get status 503.
     */
    replace: async (change: () => Promise<void>): Promise<void> => {
      const replacing = (async () => {
        await running.stop(new ApiError(replacedMessage, { status: 503, code: 503 }));
        try {
          await change();
        } finally {
          running = create();
          running.start();
        }
      })();
      ready = replacing.catch(() => {}).then(() => running);
      await replacing;
    },
    stop: async (): Promise<void> => (await ready).stop(),
  };
}
