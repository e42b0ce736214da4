import { type Checked, type CheckFacts, runChecks } from '../../checks/check';
import type { CheckedPayments } from '../../checks/gather';
import { ArchiveError } from './archive';
import { openExistingArchive } from './openArchive';

type Known = Pick<CheckFacts, 'book' | 'open' | 'days'> & { store?: string | undefined };

/**
 * Runs the checks on an order, with an address book and with what an archive says was paid. Without
 * an archive, and where it cannot be read, the checks that need it are left out. Then `fault` says
 * why it could not be read.
 */
export async function checkWithPaid(
  order: CheckedPayments,
  { store, ...known }: Known,
): Promise<{ checked: Checked; fault?: string }> {
  const facts = { ...known, nowMs: Date.now() };
  const withoutPaid = () => runChecks(order, { ...facts, paid: undefined });
  if (!store) return { checked: await withoutPaid() };
  try {
    const archive = await openExistingArchive(store, { isHurried: true });
    try {
      return { checked: await runChecks(order, { ...facts, paid: archive.payments() }) };
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { checked: await withoutPaid(), fault: error.message };
  }
}
