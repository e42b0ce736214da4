import type { Progress } from '../src/orders/status';

/** The details panel of Temporal UI, in markdown: what is done, what is waited for, since when. */
export function detailsOf(progress: Progress): string {
  return [
    `**${progress.status}** since ${progress.since}`,
    '',
    `Waiting for: ${progress.waitingFor}`,
    '',
    ...progress.done.map((words) => `- ${words}`),
  ].join('\n');
}
