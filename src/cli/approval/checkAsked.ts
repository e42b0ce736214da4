import type { AddressBook } from '../../checks/book';
import { paymentsAsked } from '../../client/asking/payments';
import type { TreeLine } from '../../writer/signing/lineTree';
import type { ApprovalStatement } from '../../writer/signing/statement';
import type { Call } from '../call';
import { checkOrder } from '../check/checkOrder';
import { tellFindings, tellKnown } from '../check/tellChecked';

/** The findings of the approver's own checks about a statement, as sentences. */
export async function checkAsked(
  statement: ApprovalStatement,
  lines: readonly TreeLine[],
  { call, book }: { call: Pick<Call, 'terminal' | 'voice'>; book: AddressBook },
): Promise<string[]> {
  const payments = paymentsAsked(statement, lines);
  if (payments.length === 0) return [];
  const checked = await checkOrder({ orderId: statement.order, payments, wallets: [] }, book, call);
  return [...tellFindings(checked), `${tellKnown(checked)}, on this machine.`];
}
