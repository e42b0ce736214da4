import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { AttributeName, Progress, Status } from '../src/orders/status';
import type { Run } from './run';

/** What is shown of an order beside its status; a write in doubt, for whoever has to decide. */
type Shown = Pick<Progress, 'waitingFor' | 'target' | 'evidence'>;

/** An order that has ended so has nothing more to send, and nobody can resume it. */
const ends: readonly Status[] = ['Done', 'Refused', 'Failed', 'Cancelled'];

/** Says what the order waits for, in every place where an operator may look. */
export function show(run: Run, status: Status, waitingFor: string): void {
  showAll(run, status, { waitingFor });
}

/** Says, too, which write is in doubt and what is known of it. */
export function showAll(run: Run, status: Status, shown: Shown): void {
  const { progress } = run;
  const changed = progress.status !== status;
  if (changed || progress.waitingFor !== shown.waitingFor) {
    progress.since = new Date().toISOString();
  }
  delete progress.target;
  delete progress.evidence;
  if (ends.includes(status)) delete progress.paused;
  Object.assign(progress, { status, ...shown });
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
    ...pausedOf(progress),
    ...progress.done.map((words) => `- ${words}`),
    ...evidenceOf(progress),
  ].join('\n');
}

function pausedOf({ paused }: Progress): string[] {
  if (paused === undefined) return [];
  const { workflowId } = workflowInfo();
  return [
    `**Paused** since ${paused.since}: ${paused.reason}. Nothing more is sent until it is resumed: ` +
      `\`steadfast resume ${workflowId}\``,
    '',
  ];
}

function evidenceOf({ status, target, evidence = [] }: Progress): string[] {
  if (target === undefined) return [];
  const { workflowId } = workflowInfo();
  const command = `steadfast resolve ${workflowId} --target '${target}'`;
  const advice = [
    'What you can do, once you know what became of it:',
    '',
    `- it was taken: \`${command} --finding completed --evidence <transaction id or hash>\``,
    `- it never was: \`${command} --finding noEffect --evidence "how you know"\``,
    '',
  ];
  // What can be done comes first, since the panel shows the first lines.
  return [
    '',
    ...(status === 'Unknown' ? advice : []),
    `What is known of ${target}:`,
    '',
    ...evidence.map((words) => `- ${words}`),
  ];
}
