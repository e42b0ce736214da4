import { ApiError } from './errors';
import type { Running } from './running';

/** What the server's calls are carried out by: it can be replaced while the port stays. */
export type Current = {
  /** Waits while it is being replaced. */
  use(): Promise<Running>;
  /**
   * Ends what runs, does this to the records, and starts anew on them; also where it fails, and has
   * changed nothing then. A call that comes meanwhile waits, and one that was under way is answered
   * with 503.
   */
  replace(change: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

const replacedMessage =
  'The sandbox was put back to a snapshot while this was under way, and nothing of it is left.';

/** Starts the first of those that run one after the other. */
export function createCurrent(create: () => Running): Current {
  let running = create();
  let ready: Promise<Running> = Promise.resolve(running);
  return {
    use: () => ready,
    replace: async (change) => {
      const replacing = (async () => {
        await running.stop(new ApiError(replacedMessage, { status: 503, code: 503 }));
        try {
          await change();
        } finally {
          running = create();
          running.start();
        }
      })();
      ready = replacing.then(
        () => running,
        () => running,
      );
      await replacing;
    },
    stop: async () => {
      const last = await ready;
      await last.stop();
    },
  };
}

/** What comes of the work, or the reason, as soon as the signal is aborted with it. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  let cut: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    cut = () => reject(signal.reason);
    signal.addEventListener('abort', cut);
  });
  if (signal.aborted) cut();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
