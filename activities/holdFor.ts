import { sleep } from '@temporalio/activity';

/** Lets some time pass, milliseconds. */
export async function holdFor({ ms }: { ms: number }): Promise<void> {
  await sleep(ms);
}
