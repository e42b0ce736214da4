import { counted } from '../../src/orders/payout/tally';
import type { PayoutProgress, Status } from '../../src/orders/progress/status';
import { show, showAll } from '../order/show';
import { bookOf, isOver, type LivePayout, partsOf, totalsOf, wholeTally } from './book';
import type { PayoutBook } from './records';

/** Over how long the rate is told. */
const paceMs = 60_000;
const paceMarksMax = 30;

/** Says how much has been handed over so far. */
export function tellHandedOver(live: LivePayout): void {
  const { parts, lines } = count(live);
  const sofar = `${counted(parts, 'part')}, ${counted(lines, 'line')} so far`;
  const words = 'its lines, part by part (update addLines), and then its seal';
  show(live, 'Waiting', parts === 0 ? words : `its seal: ${sofar}`);
}

/** Says how far the payout has come, in every place where an operator may look. */
export function tell(live: LivePayout): void {
  const parts = partsOf(bookOf(live));
  const { lines, unknown, waiting } = count(live);
  const [first] = parts.flatMap(({ report }) => report?.unknown ?? []);
  const trouble = parts.flatMap(({ report }) => report?.trouble ?? [])[0];
  const needs = trouble?.type === 'NeedsOperator' ? trouble.message : undefined;
  const status = statusOf(live, { isUnknown: first !== undefined, needs });
  const open = parts.filter((part) => !isOver(part)).length;
  const inDoubt = counted(unknown, 'line');
  const waitingFor = {
    Paused: 'somebody to resume it',
    Unknown: `someone to say what became of ${inDoubt}, the first ${first?.target}`,
    NeedsOperator: needs ?? '',
  }[String(status)];
  const going = `${waiting} of ${counted(lines, 'line')}, in ${counted(open, 'part')}`;
  showAll(live, status, {
    waitingFor: waitingFor ?? `${going}${trouble === undefined ? '' : `. ${trouble.message}`}`,
    ...(first !== undefined && status === 'Unknown' ? first : {}),
  });
}

/** Counts what is there, and what has come of it, for whoever asks. */
function count(live: LivePayout): PayoutProgress {
  const book = bookOf(live);
  const { amounts: _, ...counts } = wholeTally(book);
  const { lines, paid, failed, unknown, skipped } = counts;
  const ended = paid + failed + skipped + unknown;
  const progress = {
    parts: partsOf(book).length,
    sealed: book.sealed,
    ...counts,
    waiting: lines - ended,
    totals: totalsOf(book),
    ...(book.sealed ? rateOf(book, { ended, left: lines - ended }) : {}),
  };
  live.progress.payout = progress;
  return progress;
}

function statusOf(
  { carried }: LivePayout,
  { isUnknown, needs }: { isUnknown: boolean; needs: string | undefined },
): Status {
  if (carried.paused !== undefined && !carried.cancelAsked) return 'Paused';
  if (needs !== undefined) return 'NeedsOperator';
  return isUnknown ? 'Unknown' : 'Settling';
}

/** How many lines come to an end in a second, over the last minute, and how long the rest takes. */
function rateOf(
  book: PayoutBook,
  { ended, left }: { ended: number; left: number },
): { linesPerS?: number; leftS?: number } {
  const nowMs = Date.now();
  const { pace } = book;
  if (pace.at(-1)?.ended !== ended) pace.push({ atMs: nowMs, ended });
  while ((pace[0]?.atMs ?? nowMs) < nowMs - paceMs || pace.length > paceMarksMax) pace.shift();
  const [oldest] = pace;
  if (oldest === undefined || oldest.atMs === nowMs) return {};
  const linesPerS = Math.round(((ended - oldest.ended) * 100_000) / (nowMs - oldest.atMs)) / 100;
  return linesPerS > 0 ? { linesPerS, leftS: Math.ceil(left / linesPerS) } : {};
}
