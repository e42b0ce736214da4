import type { AddressBook } from '../../checks/book';
import { leftOutOf } from '../../checks/check';
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
  const checked = await checkOrder({ orderId: statement.order, payments }, book, call);
  const known = tellKnown({ ...checked, leftOut: leftOutOf(checked) });
  return [...tellFindings(checked), `${known}, on this machine.`];
}
