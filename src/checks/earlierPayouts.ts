import { counted } from '../orders/progress/doing';
import { dayMs, type Earlier, type Known, type Run } from './gather';
import type { CheckedPayment } from './payment';

/** An earlier order in words, and how long ago it was. */
export function tellEarlier({ orderId, atMs }: Earlier, { nowMs }: Known): string {
  if (atMs === undefined) return `${orderId}, which is running`;
  const days = Math.floor((nowMs - atMs) / dayMs);
  const ago = days < 1 ? 'less than a day ago' : `${counted(days, 'day')} ago`;
  return `${orderId}, ${ago}`;
}

/** The sentence about an earlier payout that has these lines, or their ids. None about any other. */
export function tellOther(
  run: Run,
  { payments, digest }: { payments: readonly CheckedPayment[]; digest: string },
  known: Known,
): string[] {
  const told = tellEarlier(run, known);
  if (isWhole(run, payments)) return [`All ${counted(run.lines, 'line')} are those of ${told}.`];
  if (run.linesDigest === digest) {
    return [`The digest of the lines is that of ${told}.`];
  }
  const isHalf = run.ids > 0 && run.ids * 2 >= payments.length;
  if (isHalf && run.ids > run.sameIds) {
    const lines = `${run.ids} of ${counted(payments.length, 'line')}`;
    return [`${lines} have ids of ${told}, with other payees or amounts.`];
  }
  return run.sameIds > 0 ? [tellSameIds(run, known)] : [];
}

function tellSameIds(run: Run, known: Known): string {
  const are = run.sameIds === 1 ? 'is' : 'are';
  const lines = `${counted(run.sameIds, 'line')} with the same id, payee and amount`;
  return `${lines} ${are} in ${tellEarlier(run, known)}.`;
}

/** True for a payout that has the same payments, and no others. */
function isWhole({ lines, same }: Run, payments: readonly CheckedPayment[]): boolean {
  return lines === payments.length && same === lines;
}

/** True for an earlier payout of which half of the lines, and of these, are to the same payees. */
export function isAlike({ lines, known, atMs }: Run, payments: readonly CheckedPayment[]): boolean {
  return atMs !== undefined && known * 2 >= lines && known * 2 >= payments.length;
}
