import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { AttributeName, Progress, Status } from '../src/orders/status';
import type { Run } from './run';

/** Says what the order waits for, in every place where an operator may look. */
export function show(run: Run, status: Status, waitingFor: string): void {
  const { progress } = run;
  const changed = progress.status !== status;
  if (changed || progress.waitingFor !== waitingFor) progress.since = new Date().toISOString();
  Object.assign(progress, { status, waitingFor });
  setCurrentDetails(detailsOf(progress));
  if (changed) attribute(run, { SteadfastStatus: status });
}

/** Notes something as done, once, for the details panel and the progress query. */
export function finished(run: Run, words: string): void {
  if (!run.progress.done.includes(words)) run.progress.done.push(words);
}

/** Sets search attributes, where the namespace has them. */
export function attribute(run: Run, values: Partial<Record<AttributeName, string>>): void {
  if (!run.searchAttributes) return;
  upsertSearchAttributes(
    Object.entries(values).map(([name, value]) => ({
      key: { name, type: 'KEYWORD' as const },
      value,
    })),
  );
}

/** The details panel of Temporal UI, in markdown: what is done, what is waited for, since when. */
function detailsOf(progress: Progress): string {
  return [
    `**${progress.status}** since ${progress.since}`,
    '',
    `Waiting for: ${progress.waitingFor}`,
    '',
    ...progress.done.map((words) => `- ${words}`),
  ].join('\n');
}
