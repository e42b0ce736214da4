import { sleep } from '@temporalio/activity';

/** Waits, in milliseconds. */
export async function holdFor({ ms }: { ms: number }): Promise<void> {
  await sleep(ms);
}
