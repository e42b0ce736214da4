import { batchStep } from '../custody/batch';
import { readWrite } from '../custody/reference';

/** The workflows that wait for a transaction: one order, or the running parts of a payout. */
export type Target = { kind: 'order' | 'payout'; workflowId: string };

/** The steps of writes that a payout's parts make. The references of both name the payout. */
const payoutSteps: readonly string[] = ['line', batchStep];

/** Reads the target in a transaction's reference. Undefined for a reference of somebody else. */
export function targetOf(reference: string | undefined): Target | undefined {
  const write = readWrite(reference);
  // A part of an id may be the id of another order.
  if (write?.isWhole !== true) return undefined;
  const { workflowId, step } = write;
  return { kind: payoutSteps.includes(step) ? 'payout' : 'order', workflowId };
}
