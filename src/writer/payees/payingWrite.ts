import { batchStep } from '../../custody/batch';
import { refHash } from '../../custody/reference';
import type { LineTarget } from '../../orders/payout/lineTarget';
import type { CallEffect } from '../call/effects';
import type { UnderstoodCall } from '../call/understoodCall';
import type { JudgedWrite } from '../judge';
import { lineStep } from '../ledger/attempts';
import type { KeptPayment } from './payees';

/** A write of which the payments are checked. */
export type PayingWrite = Pick<JudgedWrite, 'kinds' | 'wallet' | 'effects'> & {
  /** The hash of the write, whose own earlier attempts are no others. */
  hash: string;
  /** The line that a payment is of, by the payment's place. Undefined outside of payouts. */
  lineAt(place: number): string | undefined;
};

/** A call as its payments are checked. `lines` are those of a signed payout. */
export function payingWrite(
  { identity: { parts }, classified }: UnderstoodCall,
  kinds: JudgedWrite['kinds'],
  lines: readonly LineTarget[] = [],
): PayingWrite {
  const lineAt = (place: number): string | undefined => {
    if (parts.step === lineStep) return parts.item;
    return parts.step === batchStep ? (lines[place]?.lineId ?? `payment ${place}`) : undefined;
  };
  return { ...classified, kinds, hash: refHash(parts), lineAt };
}

/** The payments among the effects of a write, with the marks of its lines. */
export function paymentsOf(
  effects: readonly CallEffect[],
  lines: readonly { mark: string }[] = [],
): KeptPayment[] {
  return effects.flatMap((effect, at): KeptPayment[] => {
    if (effect.kind !== 'money') return [];
    const { to, money, amount } = effect;
    return [{ to, money, amount, mark: lines[at]?.mark }];
  });
}
