import type { CheckedLines } from '../orders/input/checkedLines';
import { emptyBook } from './book';
import { type Checked, type CheckFacts, leftOutOf, runChecks } from './check';
import { linesDigest } from './digest';
import { type OpenSources, openPayments } from './openPayments';
import type { CheckedPayment, Paid } from './payment';
import { readBook } from './readBook';

/** The archive of a worker, its index of the account, and the file of its address book. */
export type CheckSources = {
  archive?: { payments(): AsyncIterable<Iterable<Paid>> } | undefined;
  open?: OpenSources | undefined;
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
  lines: readonly CheckedPayment[],
  { workflowId, blockchain, wallets, strict = false }: Paying,
  { archive, open: sources, bookPath }: CheckSources,
): Promise<{ told: CheckedLines; findings: Checked['findings'] }> {
  const payments = lines.map((line) => ({ ...line, to: line.to.toLowerCase() }));
  const book = bookPath === undefined ? emptyBook : readBook(bookPath, blockchain);
  const order = { orderId: workflowId, payments, wallets: wallets.map(({ address }) => address) };
  const nowMs = Date.now();
  const run = (paid?: CheckFacts['paid'], open?: CheckFacts['open']) =>
    runChecks(order, { book, paid, open, nowMs });
  // A source that is away holds up no payment, unless a finding would. Its checks are left out.
  const unlessStrict = (error: unknown): undefined => {
    if (strict) throw error;
  };
  const reading = archive && sources && openPayments(sources, { ...order, nowMs });
  const open = await reading?.catch(unlessStrict);
  const checked = await run(archive?.payments(), open).catch(unlessStrict);
  const { findings, open: _, ...known } = checked ?? (await run());
  const found: Record<string, number> = {};
  for (const { check: id } of findings) found[id] = (found[id] ?? 0) + 1;
  const leftOut = leftOutOf({ ...known, open: open?.length });
  return { told: { digest: linesDigest(payments), ...known, leftOut, found }, findings };
}
