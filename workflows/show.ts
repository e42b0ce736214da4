import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { AttributeName, Moment, Progress, Status } from '../src/orders/status';
import { counted } from '../src/orders/tally';
import type { Run } from './run';

/** What is shown of an order beside its status; a write in doubt, for whoever has to decide. */
type Shown = Pick<Progress, 'waitingFor' | 'target' | 'evidence'>;

/** As much of an order, or of a part of one, as can be shown. */
type Seen = Pick<Run, 'progress' | 'searchAttributes'>;

/** An order that has ended so has nothing more to send, and nobody can resume it. */
const ends: readonly Status[] = ['Done', 'Refused', 'Failed', 'Cancelled'];

/** So many moments of trouble, and of what somebody wanted, are kept. */
const alikeMax = 24;

/** Says what the order waits for, in every place where an operator may look. */
export function show(run: Seen, status: Status, waitingFor: string): void {
  showAll(run, status, { waitingFor });
}

/** Says, too, which write is in doubt and what is known of it. */
export function showAll(run: Seen, status: Status, shown: Shown): void {
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

/** Notes a step as done, once. A continued run walks past it again. */
export function finished(run: Run, words: string): void {
  const { timeline } = run.progress;
  if (!timeline.some((moment) => moment.words === words)) timeline.push(now('done', words));
}

/** Notes what somebody wanted of the order. */
export function asked(run: Run, words: string): void {
  const { timeline } = run.progress;
  timeline.push(now('asked', words));
  forgetMiddle(timeline, 'asked');
}

/**
 * Notes what keeps the order from going on. The same again is counted, and of much trouble the
 * first and the last stays: an order may have to wait for weeks.
 */
export function stumbled({ progress }: Pick<Run, 'progress'>, words: string): void {
  const { timeline } = progress;
  const last = timeline.at(-1);
  if (last?.kind === 'trouble' && last.words === words) {
    last.again = { times: (last.again?.times ?? 1) + 1, last: new Date().toISOString() };
    return;
  }
  timeline.push(now('trouble', words));
  forgetMiddle(timeline, 'trouble');
}

/** Of much of one kind the first and the last stays. */
function forgetMiddle(timeline: Moment[], kind: Moment['kind']): void {
  const alike = timeline.filter((moment) => moment.kind === kind);
  const middle = alike[alikeMax / 2];
  if (alike.length > alikeMax && middle) timeline.splice(timeline.indexOf(middle), 1);
}

function now(kind: Moment['kind'], words: string): Moment {
  return { kind, words, at: new Date().toISOString() };
}

/** Sets search attributes, where the namespace has them. */
export function attribute(run: Seen, values: Partial<Record<AttributeName, string>>): void {
  if (!run.searchAttributes) return;
  upsertSearchAttributes(
    Object.entries(values).map(([name, value]) => ({
      key: { name, type: 'KEYWORD' as const },
      value,
    })),
  );
}

/** The details panel of Temporal UI, in markdown: what has happened, what is waited for, since when. */
function detailsOf(progress: Progress): string {
  return [
    `**${progress.status}** since ${progress.since}`,
    '',
    `Waiting for: ${progress.waitingFor}`,
    '',
    ...pausedOf(progress),
    ...payoutOf(progress),
    ...progress.timeline.map((moment) => `- ${lineOf(moment)}`),
    ...evidenceOf(progress),
  ].join('\n');
}

function lineOf({ at, words, again }: Moment): string {
  const often = again === undefined ? '' : ` (${again.times} times, last ${again.last})`;
  return `${at === undefined ? '' : `${at} `}${words}${often}`;
}

function payoutOf({ payout }: Progress): string[] {
  if (payout === undefined) return [];
  const { lines, paid, failed, unknown, skipped, waiting, totals, linesPerS, leftS } = payout;
  if (!payout.sealed) {
    const ordered = Object.entries(totals).map(([token, sum]) => `${sum.ordered} ${token}`);
    const handed = `${counted(lines, 'line')} in ${counted(payout.parts, 'part')}`;
    const amounts = ordered.length === 0 ? '' : ` (${ordered.join(', ')})`;
    return [`Handed over: ${handed}${amounts}. Nothing is paid before the seal.`, ''];
  }
  const sums = Object.entries(totals).map(
    ([token, sum]) => `${sum.paid} of ${sum.ordered} ${token}`,
  );
  const pace = linesPerS === undefined ? '' : `, ${linesPerS} a second, ${leftS} s left`;
  return [
    `Lines: ${paid} of ${lines} paid (${sums.join(', ')}), ${waiting} wait, ${failed} failed, ` +
      `${unknown} unknown, ${skipped} skipped${pace}`,
    '',
  ];
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
