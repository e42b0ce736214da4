import type { CheckedPayment } from '../../checks/payment';
import type { ApprovalStatement } from '../../writer/signing/statement';
import type { AskedLine } from './linesToSign';

/** The payments that a statement is about: the lines of a payout, or what its write sends. */
export function paymentsAsked(
  { write }: Pick<ApprovalStatement, 'write'>,
  lines: readonly AskedLine[],
): CheckedPayment[] {
  if (lines.length > 0) return lines.map((line) => ({ ...line, to: line.to.toLowerCase() }));
  return write.effects.flatMap((effect) => paymentIn(write.target, effect));
}

function paymentIn(lineId: string, effect: Record<string, unknown>): CheckedPayment[] {
  const { kind, amount, money, to } = effect;
  if (kind !== 'money') return [];
  return [{ lineId, to: String(to).toLowerCase(), amount: String(amount), token: String(money) }];
}
