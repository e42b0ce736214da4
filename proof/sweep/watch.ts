import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Mortal } from '../kill/mortal';

const lookMs = 3_000;
const answerMsMax = 10_000;
/** Longer than any start of it takes. */
const hungMsMax = 45_000;

/**
 * Restarts Temporal when it runs and does not answer, as an operator would. Under load a local
 * server can leave its SQLite connection interrupted for good. Returns the function that ends the
 * watch. `onHung` is called each time.
 */
export function watchTemporal(
  temporal: Mortal,
  { observer, onHung }: { observer: Client; onHung: () => void },
): () => void {
  let isOver = false;
  let answeredAtMs = Date.now();
  const watch = async (): Promise<void> => {
    while (!isOver) {
      if (await answers(observer)) answeredAtMs = Date.now();
      if (!isOver && Date.now() > answeredAtMs + hungMsMax) {
        onHung();
        await temporal.kill();
        await temporal.start().catch(() => {});
        answeredAtMs = Date.now();
      }
      await sleep(lookMs, undefined, { ref: false });
    }
  };
  void watch();
  return () => {
    isOver = true;
  };
}

async function answers({ connection, workflow }: Client): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + answerMsMax, () => workflow.count());
    return true;
  } catch {
    return false;
  }
}
