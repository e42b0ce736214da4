import { checkLines } from '../../src/checks/checkLines';
import { transferPayment } from '../../src/checks/payment';
import type { CheckedLines } from '../../src/orders/input/checkedLines';
import { BadOrderError } from '../../src/orders/input/read';
import type { Ready } from './resolveOrder';
import type { OrderSettings } from './settings';

/** The checks of a transfer, and what they have found, as sentences. */
export type CheckedTransfer = { checks: CheckedLines; found: string[] };

/**
 * Runs the checks on a transfer that asks for them: a dry run, and a strict one, which a finding
 * refuses. All others would have to read the whole archive for one payment.
 */
export async function checkTransfer(
  { workflowId, order, wallet, blockchain }: Ready,
  { archive, open, bookPath }: OrderSettings,
): Promise<CheckedTransfer | undefined> {
  if (!('from' in order && 'to' in order) || wallet === undefined) return undefined;
  const { strict = false, dryRun = false } = order;
  if (!strict && !dryRun) return undefined;
  const line = transferPayment(workflowId, order);
  const paying = { workflowId, blockchain, wallets: [wallet], strict };
  const { told: checks, findings } = await checkLines([line], paying, { archive, open, bookPath });
  const found = findings.map(({ check, words }) => `to: it ${words}. (${check})`);
  if (!strict || found.length === 0) return { checks, found };
  const way = 'Correct it, or leave strict out if it is meant.';
  throw new BadOrderError([...found, way].join(' '));
}
