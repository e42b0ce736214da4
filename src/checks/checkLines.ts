import type { CheckedLines } from '../orders/input/checkedLines';
import { emptyBook } from './book';
import { type Checked, type Facts, runChecks } from './check';
import { linesDigest } from './digest';
import type { Paid, Payment } from './payment';
import { readBook } from './readBook';

/** The archive of a worker, and the file of its address book. */
export type CheckSources = {
  archive?: { payments(): AsyncIterable<readonly Paid[]> } | undefined;
  bookPath?: string | undefined;
};

/** A payout, as far as its checks need it. */
type Paying = {
  workflowId: string;
  blockchain: string;
  wallets: readonly { address: string }[];
  /** A finding refuses the payout, so that no check is left out because the archive is away. */
  strict?: boolean | undefined;
};

/** Runs the checks on all lines of a payout, with the sources of this worker. */
export async function checkLines(
  lines: readonly Payment[],
  { workflowId, blockchain, wallets, strict = false }: Paying,
  { archive, bookPath }: CheckSources,
): Promise<{ told: CheckedLines; findings: Checked['findings'] }> {
  const payments = lines.map((line) => ({ ...line, to: line.to.toLowerCase() }));
  const book = bookPath === undefined ? emptyBook : readBook(bookPath, blockchain);
  const order = { orderId: workflowId, payments, wallets: wallets.map(({ address }) => address) };
  const run = (paid?: Facts['paid']) => runChecks(order, { book, paid, nowMs: Date.now() });
  // An archive that is away holds up no payment, unless a finding would. Its checks are left out.
  const { findings, ...known } = await run(archive?.payments()).catch((error: unknown) => {
    if (strict) throw error;
    return run();
  });
  const found: Record<string, number> = {};
  for (const { check: id } of findings) found[id] = (found[id] ?? 0) + 1;
  return { told: { digest: linesDigest(payments), ...known, found }, findings };
}
