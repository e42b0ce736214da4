import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { mayBePaid } from '../../src/orders/payout/mayBePaid';
import { counted } from '../../src/orders/progress/doing';
import { exitsOf } from '../../src/orders/progress/exits';
import {
  type AttributeName,
  isEnd,
  type Moment,
  needsPerson,
  type Progress,
  type Status,
  timeInWords,
} from '../../src/orders/progress/status';
import type { Stop } from './activities';

/** The text beside an order's status. A write in doubt is shown to the person who decides. */
type Shown = Pick<Progress, 'waitingFor' | 'target' | 'paidIn' | 'evidence' | 'approvals'>;

/** The part of an order that can be shown. */
export type Showable = { progress: Progress; searchAttributes: boolean };

/** Number of moments kept of trouble, and of requests. */
const alikeMax = 24;

/** Shows what the order waits for, in every place where an operator may look. */
export function show(live: Showable, status: Status, waitingFor: string): void {
  showAll(live, status, { waitingFor });
}

/** Shows which write is in doubt too, with the evidence. */
export function showAll(live: Showable, status: Status, shown: Shown): void {
  const { progress } = live;
  const changed = progress.status !== status;
  if (changed || progress.waitingFor !== shown.waitingFor) {
    progress.since = new Date().toISOString();
  }
  delete progress.target;
  delete progress.paidIn;
  delete progress.evidence;
  delete progress.approvals;
  if (isEnd(status)) delete progress.paused;
  const { waitingFor, target, paidIn, evidence, approvals } = shown;
  Object.assign(progress, { status, waitingFor });
  if (target !== undefined) Object.assign(progress, { target, evidence });
  if (paidIn !== undefined) progress.paidIn = paidIn;
  if (approvals !== undefined) progress.approvals = approvals;
  setCurrentDetails(detailsOf(progress));
  if (changed) attribute(live, { SteadfastStatus: status });
}

/** Notes what blocks the order, and the people who have approved it. */
export function noteStop(live: Pick<Showable, 'progress'>, { message, facts }: Stop): void {
  noteFault(live, message);
  const { given = [], target } = facts.approval ?? {};
  for (const person of given) noteDone(live, `${person} has approved ${target}`);
}

/** Notes a step as done, once. A continued run passes it again. */
export function noteDone(live: Pick<Showable, 'progress'>, words: string): void {
  const { timeline } = live.progress;
  if (!timeline.some((moment) => moment.words === words)) timeline.push(now('done', words));
}

/** Notes a person's request. */
export function noteRequest(live: Pick<Showable, 'progress'>, words: string): void {
  const { timeline } = live.progress;
  timeline.push(now('asked', words));
  forgetMiddle(timeline, 'asked');
}

/**
 * Notes what blocks the order. A repeated moment is counted. Only the first and the last of many
 * moments are kept, since an order may wait for weeks.
 */
export function noteFault({ progress }: Pick<Showable, 'progress'>, words: string): void {
  const { timeline } = progress;
  const last = timeline.at(-1);
  if (last?.kind === 'trouble' && last.words === words) {
    last.again = { times: (last.again?.times ?? 1) + 1, last: new Date().toISOString() };
    return;
  }
  timeline.push(now('trouble', words));
  forgetMiddle(timeline, 'trouble');
}

/** Keeps the first and the last of many moments of one kind. */
function forgetMiddle(timeline: Moment[], kind: Moment['kind']): void {
  const alike = timeline.filter((moment) => moment.kind === kind);
  const middle = alike[alikeMax / 2];
  if (alike.length > alikeMax && middle) timeline.splice(timeline.indexOf(middle), 1);
}

function now(kind: Moment['kind'], words: string): Moment {
  return { kind, words, at: new Date().toISOString() };
}

/** Sets search attributes, if the namespace has them. */
export function attribute(live: Showable, values: Partial<Record<AttributeName, string>>): void {
  if (!live.searchAttributes) return;
  upsertSearchAttributes(
    Object.entries(values).map(([name, value]) => ({
      key: { name, type: 'KEYWORD' as const },
      value,
    })),
  );
}

/**
 * Details panel of Temporal UI, in markdown: past moments, what the order waits for, and since
 * when.
 */
export function detailsOf(progress: Progress): string {
  return [
    `**${progress.status}** since ${timeInWords(progress.since)}`,
    '',
    `Waiting for: ${progress.waitingFor}`,
    '',
    ...pausedOf(progress),
    ...payoutOf(progress),
    ...progress.timeline.map((moment) => `- ${lineOf(moment)}`),
    ...exitsOfNow(progress),
    ...evidenceOf(progress),
  ].join('\n');
}

function lineOf({ at, words, again }: Moment): string {
  const often =
    again === undefined ? '' : ` (${again.times} times, last ${timeInWords(again.last)})`;
  return `${timeInWords(at)} ${words}${often}`;
}

function payoutOf({ payout }: Progress): string[] {
  if (payout === undefined) return [];
  const { lines, paid, failed, unknown, skipped, waiting, totals, linesPerS, leftS } = payout;
  if (!payout.sealed) {
    const ordered = Object.entries(totals).map(([token, sum]) => `${sum.ordered} ${token}`);
    const handed = `${counted(lines, 'line')} in ${counted(payout.parts, 'part')}`;
    const amounts = ordered.length === 0 ? '' : ` (${ordered.join(', ')})`;
    const paid = payout.mayHavePaid ? mayBePaid : 'Nothing is paid before the seal.';
    return [`Handed over: ${handed}${amounts}. ${paid}`, ''];
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
    `**Paused** since ${timeInWords(paused.since)}: ${paused.reason}. Nothing more is sent until it is resumed: ` +
      `\`npx --no-install steadfast resume ${workflowId}\``,
    '',
  ];
}

/** The ways out come first, since the panel shows the first lines. */
function exitsOfNow(progress: Progress): string[] {
  if (!needsPerson(progress.status)) return [];
  const exits = exitsOf(progress, workflowInfo().workflowId);
  return [
    '',
    'What you can do:',
    '',
    ...exits.map(({ when, command }) => `- if ${when}: \`npx --no-install ${command}\``),
  ];
}

function evidenceOf({ target, evidence = [] }: Progress): string[] {
  if (target === undefined) return [];
  const lines = evidence.map((words) => `- ${words.replace(/^\S+Z(?= )/, timeInWords)}`);
  return ['', `What is known of ${target}:`, '', ...lines];
}
