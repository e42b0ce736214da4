import type { CheckId } from '../../checks/checks';
import { shown } from '../../orders/input/shown';

const toBook =
  'If it is right all the same, write it into the address book of the writer ' +
  '(STEADFAST_ADDRESS_BOOK), and';
const toPeople = 'If it is meant, have the policy say approve, so that people decide.';

/**
 * The way out of a payment that a check refuses, as the end of its sentence. A payout is not
 * ordered again for one of its lines: under another id, that would pay all others twice.
 */
export function wayOut(check: CheckId, line?: string): string {
  if (check === 'newPayee' || check === 'lookAlike') return `${toBook} ${retryOf(line)}`;
  if (check === 'paidBefore') return `Look at that payment first. ${toPeople}`;
  if (check === 'farAmount') return toPeople;
  return line === undefined
    ? 'Correct the address, and order it again.'
    : 'Put this line alone, with the right address, into a payout of its own.';
}

function retryOf(line: string | undefined): string {
  if (line === undefined) return 'order it again.';
  return `retry this line alone: npx --no-install steadfast payout retry <payoutId> ${shown(line)}`;
}
