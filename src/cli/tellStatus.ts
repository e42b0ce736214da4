import { pc } from '../colors';
import type { OrderStatus } from '../orderStatus';
import { tellReceipt } from './tellReceipt';
import { tellDuration, tellMoment } from './tellTime';

/** What a running order waits for, in one line. */
export function tellProgress(status: OrderStatus): string {
  if (status.progress === undefined) return 'No worker answers: start one with "steadfast worker"';
  const { status: standing, waitingFor } = status.progress;
  const lead = standing === 'Waiting' ? 'Waiting' : `${standing}, waiting`;
  return `${lead} for ${waitingFor}`;
}

/** Where an order stands, as a timeline: what is done, what is waited for, how it ended. */
export function tellStatus(status: OrderStatus, now: Date): string[] {
  const { workflowId, kind, startedAt, progress } = status;
  return [
    `${pc.bold(workflowId)} ${pc.dim('·')} ${kind} ${pc.dim('·')} ${standingOf(status)}`,
    pc.dim(`started ${tellMoment(startedAt)}, ${status.historyEvents} events`),
    ...(progress?.done ?? []).map((words) => `  ${pc.green('✓')} ${words}`),
    ...(status.execution === 'RUNNING' ? waiting(status, now) : ended(status)),
  ];
}

function standingOf(status: OrderStatus): string {
  if (status.execution === 'RUNNING') return pc.yellow(status.progress?.status ?? 'running');
  if (status.execution === 'COMPLETED') return pc.green('done');
  // Temporal's FAILED is refused or failed, which is a difference: nothing was taken, or something.
  const word = status.execution === 'FAILED' ? status.progress?.status : undefined;
  return pc.red((word ?? status.execution).toLowerCase().replace('_', ' '));
}

function waiting(status: OrderStatus, now: Date): string[] {
  const { progress } = status;
  if (progress === undefined) return [`  ${pc.yellow('→')} ${tellProgress(status)}.`];
  const sinceMs = now.getTime() - Date.parse(progress.since);
  return [
    `  ${pc.yellow('→')} waiting for ${progress.waitingFor}`,
    pc.dim(`    since ${tellMoment(progress.since)}, that is ${tellDuration(sinceMs)}`),
    ...(progress.paused === undefined ? [] : [`    paused: ${progress.paused.reason}`]),
    ...(progress.evidence ?? []).map((words) => pc.dim(`    ${words}`)),
    ...(progress.status === 'Unknown' ? wayOut(status.workflowId, progress.target) : []),
  ];
}

function ended(status: OrderStatus): string[] {
  const { startedAt, closedAt, error, receipt } = status;
  const tookMs = closedAt === undefined ? 0 : Date.parse(closedAt) - Date.parse(startedAt);
  const when =
    closedAt === undefined ? [] : [`ended ${tellMoment(closedAt)}, after ${tellDuration(tookMs)}`];
  if (error !== undefined) return [`  ${pc.red('✗')} ${error}`, ...when.map(pc.dim)];
  return [...when.map(pc.dim), ...tellReceipt(receipt)];
}

/** What a person can do about a write that is unknown. */
function wayOut(id: string, target: string | undefined): string[] {
  const command = `npx steadfast resolve ${id} --target '${target}'`;
  return [
    `    it was taken:  ${command} --finding completed --evidence <transaction id or hash>`,
    `    it never was:  ${command} --finding noEffect --evidence "how you know"`,
  ];
}
