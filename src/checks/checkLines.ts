import type { CheckedLines } from '../orders/payout';
import { emptyBook } from './book';
import { type Checked, check } from './check';
import { linesDigest } from './digest';
import type { Paid, Payment } from './payment';
import { readBook } from './readBook';

/** The archive of a worker, and the file of its address book. */
export type CheckSources = {
  archive?: { payments(): AsyncIterable<readonly Paid[]> } | undefined;
  bookPath?: string | undefined;
};

/** A payout, as far as its checks need it. */
type Paying = { workflowId: string; blockchain: string; wallets: readonly { address: string }[] };

/** Runs the checks on all lines of a payout, with the sources of this worker. */
export async function checkLines(
  lines: readonly Payment[],
  { workflowId, blockchain, wallets }: Paying,
  { archive, bookPath }: CheckSources,
): Promise<{ told: CheckedLines; findings: Checked['findings'] }> {
  const payments = lines.map((line) => ({ ...line, to: line.to.toLowerCase() }));
  const book = bookPath === undefined ? emptyBook : readBook(bookPath, blockchain);
  const order = { orderId: workflowId, payments, wallets: wallets.map(({ address }) => address) };
  const paid = archive?.payments();
  const { findings, ...known } = await check(order, { book, paid, nowMs: Date.now() });
  const found: Record<string, number> = {};
  for (const { check: id } of findings) found[id] = (found[id] ?? 0) + 1;
  return { told: { digest: linesDigest(payments), ...known, found }, findings };
}
