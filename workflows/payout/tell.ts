import { waitingIn } from '../../src/orders/payout/tally';
import { counted } from '../../src/orders/progress/doing';
import type { PayoutProgress, Status } from '../../src/orders/progress/status';
import { show, showAll } from '../order/show';
import {
  bookOf,
  countsOf,
  isPartOver,
  type LivePayout,
  mayHavePaid,
  partsOf,
  rateOf,
} from './book';

/** Says how much has been handed over so far. */
export function tellHandedOver(live: LivePayout): void {
  const { parts, lines } = count(live);
  const sofar = `${counted(parts, 'part')}, ${counted(lines, 'line')} so far`;
  const words = 'its lines, part by part (update addLines), and then its seal';
  const { refused } = bookOf(live);
  const why = refused === undefined ? '' : `. The last seal was refused: ${refused}`;
  show(live, 'Waiting', parts === 0 ? words : `its seal: ${sofar}${why}`);
}

/** Questions that a payout shows at a time. */
const askedMax = 20;

/** Says how far the payout has come, in every place where an operator may look. */
export function tell(live: LivePayout): void {
  const { paused, cancelAsked } = live.carried;
  const parts = partsOf(live);
  const { lines, unknown, waiting } = count(live);
  const [first] = parts.flatMap(({ report }) => report?.unknown ?? []);
  const [trouble] = parts.flatMap(({ report }) => report?.trouble ?? []);
  const questions = parts.flatMap(({ report }) => report?.asking?.first ?? []).slice(0, askedMax);
  const [question] = questions;
  const open = parts.filter((part) => !isPartOver(part)).length;
  const going = `${waiting} of ${counted(lines, 'line')}, in ${counted(open, 'part')}`;
  const approvals = questions.map(({ approval }) => approval);
  const asked = approvals.length === 0 ? {} : { approvals };
  const showing = (status: Status, waitingFor: string, shown = {}): void =>
    showAll(live, status, { waitingFor, ...asked, ...shown });
  if (paused !== undefined && !cancelAsked) showing('Paused', 'somebody to resume it');
  else if (trouble?.approval !== undefined) {
    const waitingFor = `people to approve it. ${trouble.message}`;
    showing('NeedsApproval', waitingFor, { approvals: [trouble.approval] });
  } else if (trouble?.type === 'NeedsOperator') showing('NeedsOperator', trouble.message);
  else if (first !== undefined) {
    const { isDisputed = false, ...doubt } = first;
    const inDoubt = `${counted(unknown, 'line')}, the first ${first.target}`;
    const waitingFor = `someone to say what became of ${inDoubt}`;
    showing(isDisputed ? 'NeedsOperator' : 'Unknown', waitingFor, doubt);
  } else if (question !== undefined) {
    const asking = parts.reduce((sum, { report }) => sum + (report?.asking?.count ?? 0), 0);
    const few = `${counted(asking, 'line')}, the first ${question.approval.target}`;
    const waitingFor = `people to approve ${few}. ${question.message} Of others: ${going}`;
    showing('NeedsApproval', waitingFor);
  } else showing('Settling', trouble === undefined ? going : `${going}. ${trouble.message}`);
}

/** Counts the lines by outcome, for whoever asks. */
function count(live: LivePayout): PayoutProgress {
  const { sealed, sealedAtMs } = bookOf(live);
  const counts = countsOf(live);
  const waiting = waitingIn(counts);
  const ended = counts.lines - waiting;
  const seconds = sealedAtMs === undefined ? 0 : (Date.now() - sealedAtMs) / 1_000;
  const progress = {
    parts: partsOf(live).length,
    sealed,
    ...(mayHavePaid(live) ? { mayHavePaid: true as const } : {}),
    ...counts,
    waiting,
    ...paceOf({ ended, waiting, seconds, mostPerS: rateOf(live) }),
  };
  live.progress.payout = progress;
  return progress;
}

type Course = { ended: number; waiting: number; seconds: number; mostPerS: number | null };

/**
 * The lines a second since the seal, and the seconds left. Nothing before a line has ended. A batch
 * goes at once, so the first one alone would tell a pace above the rate.
 */
export function paceOf({ ended, waiting, seconds, mostPerS }: Course): Partial<PayoutProgress> {
  const sofar = seconds > 0 ? ended / seconds : 0;
  const linesPerS = Math.round(Math.min(sofar, mostPerS ?? sofar) * 100) / 100;
  return linesPerS > 0 ? { linesPerS, leftS: Math.ceil(waiting / linesPerS) } : {};
}
