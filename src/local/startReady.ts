import { type Child, type ChildOptions, startChild } from './childProcess';

type ReadyOptions = ChildOptions & {
  /** The line by which the program says that it serves. */
  ready: RegExp;
  timeoutMs: number;
  /** Stops the program while it still starts. Later it has no effect. */
  signal?: AbortSignal;
};

/** A process that serves, and the line by which it said so. */
type ReadyChild = { child: Child; line: RegExpMatchArray };

/** Starts a program. Resolves once it says that it serves, and leaves nothing running otherwise. */
export async function startReady(options: ReadyOptions): Promise<ReadyChild> {
  const { ready, timeoutMs, signal, ...childOptions } = options;
  signal?.throwIfAborted();
  const child = startChild(childOptions);
  const abort = (): void => void child.stop();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const line = await child.waitForLine(ready, timeoutMs);
    // A program that is stopped in its last moments may say so all the same.
    signal?.throwIfAborted();
    return { child, line };
  } catch (error) {
    await child.kill();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
