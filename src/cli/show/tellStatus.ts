import type { OrderStatus } from '../../client/orderStatus';
import { wayToWithdraw } from '../../client/signing/wayToWithdraw';
import { isKind } from '../../orders/kinds';
import { exitsOf } from '../../orders/progress/exits';
import { needsPerson, type Progress } from '../../orders/progress/status';
import { isCutShort, tellPayoutProgress } from '../payout/tellPayout';
import { pc } from './colors';
import type { ProgressLine } from './progressLine';
import { tellReceipt } from './tellReceipt';
import { tellDuration } from './tellTime';
import { createTimeline, type Timeline } from './tellTimeline';

/** The current wait of a running order, in one line. */
export function tellProgress(status: OrderStatus): string {
  if (status.progress === undefined) return tellSilence(status);
  const { status: standing, waitingFor } = status.progress;
  const lead = standing === 'Waiting' ? 'Waiting' : `${standing}, waiting`;
  return `${lead} for ${waitingFor}`;
}

/** A worker that cannot run an order is there, and starting another one does not help. */
function tellSilence({ workflowId, kind, taskFault }: OrderStatus): string {
  if (taskFault === undefined) {
    return (
      'No worker has answered in time. Does one run? ' +
      'Start it with "npx --no-install steadfast worker"'
    );
  }
  const refused = `A worker answers, and cannot run it: ${taskFault.replace(/\.$/, '')}`;
  if (isKind(kind) || !taskFault.includes('no such function')) return refused;
  return (
    `No worker knows a workflow "${kind}", so nothing has been sent. The names are those of ` +
    `docs/schemas, such as transferStablecoin. End this one, and start it under the right name: ` +
    `temporal workflow terminate -w ${workflowId}`
  );
}

/** Shows the current wait of an order, or the progress of a payout. */
export function showProgress(line: ProgressLine, status: OrderStatus, payers?: string): void {
  const { progress } = status;
  if (progress?.payout === undefined || progress.status === 'NeedsOperator') {
    line.show(tellProgress(status));
  } else {
    const told = tellPayoutProgress({ ...progress, payout: progress.payout });
    line.measure(payers === undefined ? told : `${told} · ${payers}`);
  }
}

/** The timeline of an order: its events, its current wait, and its end. */
export function tellStatus(status: OrderStatus, now: Date, timeZone?: string): string[] {
  const timeline = createTimeline(timeZone);
  return [
    tellStanding(status),
    ...timeline.tell({ kind: 'started', words: 'started', at: status.startedAt }),
    ...(status.progress?.timeline ?? []).flatMap((moment) => timeline.tell(moment)),
    ...(status.execution === 'RUNNING'
      ? tellWait(status, timeline, now)
      : tellOrderEnd(status, timeline)),
  ];
}

/** The id and the status of an order. */
export function tellStanding(status: OrderStatus): string {
  const { workflowId, kind } = status;
  return `${pc.bold(workflowId)} ${pc.dim('·')} ${kind} ${pc.dim('·')} ${standingOf(status)}`;
}

function standingOf(status: OrderStatus): string {
  if (status.execution === 'RUNNING') return pc.yellow(status.progress?.status ?? 'running');
  // Lists have this word for it.
  const isCancelled = status.execution === 'CANCELLED' || isCutShort(status.receipt);
  if (isCancelled) return pc.red('Cancelled');
  if (status.execution === 'COMPLETED') return pc.green('done');
  return pc.red(endOf(status));
}

/** Splits Temporal's FAILED: refused means that no write was accepted. */
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
    timeline.tellNow(`waiting for ${progress.waitingFor}`, ` (${waited} so far)`),
    ...(progress.payout === undefined
      ? []
      : [`    ${tellPayoutProgress({ ...progress, payout: progress.payout })}`]),
    ...(progress.evidence ?? []).map((words) => pc.dim(`    ${words}`)),
    ...wayOut(status),
  ];
}

/**
 * The start of the wait: the last event. `since` would change with every poll. Requests count only
 * in a pause, which one of them started.
 */
function sinceWhen({ status, timeline, since }: Progress): string {
  const isPaused = status === 'Paused';
  return timeline.findLast(({ kind }) => isPaused || kind !== 'asked')?.at ?? since;
}

/** The end of an order as the last line, and its receipt. */
export function tellOrderEnd(status: OrderStatus, timeline: Timeline): string[] {
  const { startedAt, closedAt, error, progress } = status;
  const took = closedAt === undefined ? 0 : Date.parse(closedAt) - Date.parse(startedAt);
  const after = ` (${tellDuration(took)} in all)`;
  const at = closedAt === undefined ? {} : { at: closedAt };
  const isCut = isCutShort(status.receipt);
  const isDone = status.execution === 'COMPLETED' && !isCut;
  const cut = 'cancelled before all lines were sent';
  const words = isDone ? 'done' : isCut ? cut : `${endOf(status)}: ${error}`;
  const made = tellReceipt(status.made);
  return [
    ...(progress === undefined ? [pc.dim(`    ${untold}`)] : []),
    ...timeline.tell({ kind: isDone ? 'completed' : 'ended', words, ...at }, after),
    ...tellReceipt(status.receipt),
    ...(status.pages ?? []).map((page) => `  ${pc.dim('see it at')}  ${page}`),
    ...(made.length === 0 ? [] : ['Completed before that:', ...made]),
    ...tellPaidBefore(status),
    ...tellSignature(status),
  ];
}

/** The newest run may be a refused restart, and the money may have gone before. */
function tellPaidBefore({ paidBefore }: OrderStatus): string[] {
  if (paidBefore === undefined) return [];
  const { words, receipt } = paidBefore;
  return [
    `    ${pc.yellow('!')} An earlier run of this id ${words}. Its receipt stands:`,
    ...tellReceipt(receipt),
  ];
}

function tellSignature({ workflowId, signedUntil }: OrderStatus): string[] {
  if (signedUntil === undefined) return [];
  return [
    `    What was signed for it counts until ${signedUntil}, unless it was withdrawn. Anyone who ` +
      'reads it in Temporal can still have it sent.',
    `    To withdraw it, with the key of its signer:  ${wayToWithdraw(workflowId)}`,
  ];
}

const untold =
  'No worker has answered in time ("steadfast worker"), so the events in between are not shown.';

/** The commands for an order that waits for a person. */
function wayOut({ workflowId, progress }: OrderStatus): string[] {
  if (progress === undefined) return [];
  const { status, paused, payout } = progress;
  if (!needsPerson(status) && paused === undefined && payout?.sealed !== false) return [];
  return exitsOf(progress, workflowId).map(
    ({ when, command }) => `    if ${when}:  npx --no-install ${command}`,
  );
}
