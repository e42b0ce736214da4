import { pc } from '../colors';
import type { OrderStatus } from '../orderStatus';
import type { Progress } from '../orders/status';
import { tellPayoutProgress } from './payout/tellPayout';
import type { ProgressLine } from './progressLine';
import { tellReceipt } from './tellReceipt';
import { tellDuration } from './tellTime';
import { createTimeline, type Timeline } from './tellTimeline';

/** What a running order waits for, in one line. */
export function tellProgress(status: OrderStatus): string {
  if (status.progress === undefined)
    return 'No worker has answered in time. Does one run? Start it with "steadfast worker"';
  const { status: standing, waitingFor } = status.progress;
  const lead = standing === 'Waiting' ? 'Waiting' : `${standing}, waiting`;
  return `${lead} for ${waitingFor}`;
}

/** Shows what a running order waits for; of a payout, how far it is. */
export function showProgress(line: ProgressLine, status: OrderStatus): void {
  const { progress } = status;
  if (progress?.payout === undefined || progress.status === 'NeedsOperator') {
    line.show(tellProgress(status));
  } else line.measure(tellPayoutProgress({ ...progress, payout: progress.payout }));
}

/** Where an order stands, as a timeline: what has happened, what is waited for, how it ended. */
export function tellStatus(status: OrderStatus, now: Date, timeZone?: string): string[] {
  const timeline = createTimeline(timeZone);
  return [
    tellStanding(status),
    ...timeline.tell({ kind: 'started', words: 'started', at: status.startedAt }),
    ...(status.progress?.timeline ?? []).flatMap(timeline.tell),
    ...(status.execution === 'RUNNING'
      ? tellWait(status, timeline, now)
      : tellEnd(status, timeline)),
  ];
}

/** Which order it is, and how it stands. */
export function tellStanding(status: OrderStatus): string {
  const { workflowId, kind } = status;
  return `${pc.bold(workflowId)} ${pc.dim('·')} ${kind} ${pc.dim('·')} ${standingOf(status)}`;
}

function standingOf(status: OrderStatus): string {
  if (status.execution === 'RUNNING') return pc.yellow(status.progress?.status ?? 'running');
  if (status.execution === 'COMPLETED') return pc.green('done');
  return pc.red(endOf(status));
}

/** Temporal's FAILED is refused or failed, which is a difference: nothing was taken, or something. */
function endOf({ outcome, execution }: OrderStatus): string {
  return outcome ?? execution.toLowerCase().replace('_', ' ');
}

function tellWait(status: OrderStatus, timeline: Timeline, now: Date): string[] {
  const { progress } = status;
  if (progress === undefined) {
    const last = status.lastStatus === undefined ? '' : ` It was ${status.lastStatus} last.`;
    return [timeline.tellNow(`${tellProgress(status)}.${last}`)];
  }
  const since = sinceWhen(progress);
  const waited = tellDuration(now.getTime() - Date.parse(since));
  return [
    timeline.tellNow(`waiting for ${progress.waitingFor} ${pc.dim(`(${waited} so far)`)}`),
    ...(progress.payout === undefined
      ? []
      : [`    ${tellPayoutProgress({ ...progress, payout: progress.payout })}`]),
    ...(progress.evidence ?? []).map((words) => pc.dim(`    ${words}`)),
    ...wayOut(status),
  ];
}

/**
 * What it waits for is told in other words at every look, so that this is not when the wait began:
 * it began with what happened last. Only a pause begins when somebody wants it.
 */
function sinceWhen({ status, timeline, since }: Progress): string {
  const isPaused = status === 'Paused';
  return timeline.findLast(({ kind }) => isPaused || kind !== 'asked')?.at ?? since;
}

/** How it ended, as the last line, and what it came to. */
export function tellEnd(status: OrderStatus, timeline: Timeline): string[] {
  const { startedAt, closedAt, error, progress } = status;
  const took = closedAt === undefined ? 0 : Date.parse(closedAt) - Date.parse(startedAt);
  const after = pc.dim(` (${tellDuration(took)} in all)`);
  const at = closedAt === undefined ? {} : { at: closedAt };
  const isDone = status.execution === 'COMPLETED';
  const words = isDone ? pc.green('done') : `${endOf(status)}: ${error}`;
  const made = tellReceipt(status.made);
  return [
    ...(progress === undefined ? [pc.dim(`    ${untold}`)] : []),
    ...timeline.tell({ kind: isDone ? 'completed' : 'ended', words: `${words}${after}`, ...at }),
    ...tellReceipt(status.receipt),
    ...(made.length === 0 ? [] : ['What it had made before:', ...made]),
  ];
}

const untold =
  'No worker has answered in time ("steadfast worker"), so what happened in between is not told.';

/** What a person can do about an order that waits for one. */
function wayOut({ workflowId, progress }: OrderStatus): string[] {
  const { status, target, paused } = progress ?? {};
  if (paused !== undefined) {
    return [`    nothing more is sent until:  npx steadfast resume ${workflowId}`];
  }
  if (status !== 'Unknown') return [];
  const command = `npx steadfast resolve ${workflowId} --target '${target}'`;
  return [
    `    it was taken:  ${command} --finding completed --evidence <transaction id or hash>`,
    `    it never was:  ${command} --finding noEffect --evidence "how you know"`,
  ];
}
