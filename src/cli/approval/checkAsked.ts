import type { AddressBook } from '../../checks/book';
import type { Payment } from '../../checks/payment';
import type { TreeLine } from '../../writer/signing/lineTree';
import type { ApprovalStatement } from '../../writer/signing/statement';
import type { Call } from '../call';
import { checkOrder } from '../check/checkOrder';
import { tellFindings, tellKnown } from '../check/tellChecked';

/** The findings of the approver's own checks about a statement, as sentences. */
export async function checkAsked(
  { order, write }: ApprovalStatement,
  lines: readonly TreeLine[],
  { call, book }: { call: Pick<Call, 'terminal' | 'voice'>; book: AddressBook },
): Promise<string[]> {
  const payments =
    lines.length > 0
      ? lines.map((line): Payment => ({ ...line, to: line.to.toLowerCase() }))
      : write.effects.flatMap((effect) => paymentIn(write.target, effect));
  if (payments.length === 0) return [];
  const checked = await checkOrder({ orderId: order, payments, wallets: [] }, book, call);
  return [...tellFindings(checked), `${tellKnown(checked)}, on this machine.`];
}

function paymentIn(lineId: string, effect: Record<string, unknown>): Payment[] {
  const { kind, amount, money, to } = effect;
  if (kind !== 'money') return [];
  return [{ lineId, to: String(to).toLowerCase(), amount: String(amount), token: String(money) }];
}
