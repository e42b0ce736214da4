import { attemptMark, batchIn, batchStep } from '../custody/batch';
import type { LineTarget } from '../orders/payout/lineTarget';
import { type CallEffect, NotUnderstood } from './call/effects';
import type { UnderstoodCall } from './call/understoodCall';
import { plain } from './judge';
import type { Window } from './ledger/ledger';
import type { PaidLine } from './ledger/lines';

/** The places of the payments in a batch of which something holds. None for any other call. */
export function paymentPlaces(
  { identity, classified }: UnderstoodCall,
  holds: (payment: CallEffect) => boolean,
): number[] {
  if (identity.parts.step !== batchStep) return [];
  return [...classified.effects.entries()].flatMap(([at, payment]) => (holds(payment) ? [at] : []));
}

/** Refuses a batch that fits into a window at no time. Its halves may fit. */
export function refuseTooLarge({ identity }: UnderstoodCall, windows: readonly Window[]): void {
  if (identity.parts.step !== batchStep) return;
  // A payout that people decide about counts as a whole, and its request has words of its own.
  const window = windows.find(({ scope, whole, amount, max }) => {
    return whole === undefined && !('request' in scope) && amount > max;
  });
  if (window === undefined) return;
  const { rule, amount, max, hours, withFees } = window;
  const all = `${plain(amount)}${withFees ? ' with its fee' : ''}`;
  throw new NotUnderstood(
    `The batch has ${all}, and the window of the rule ${rule} has ${plain(max)} in ${hours} hours. ` +
      'Its halves may fit.',
  );
}

type Batch = Pick<UnderstoodCall, 'call' | 'classified'> & {
  identity: Pick<UnderstoodCall['identity'], 'parts'>;
};

/**
 * The lines that a batch pays, by the marks of its payments. `named` are those of a signed payout,
 * in the same order. None for any other call.
 */
export function batchLines(
  { call, identity, classified }: Batch,
  named: readonly LineTarget[] = [],
): PaidLine[] {
  if (identity.parts.step !== batchStep || call.method !== 'executeContract') return [];
  const payments = batchIn(call.input)?.payments ?? [];
  const marks = payments.map(({ mark }) => attemptMark(mark));
  if (new Set(marks).size < payments.length) {
    throw new NotUnderstood('Two of its payments have the same mark.');
  }
  if (classified.effects.length !== payments.length) {
    throw new NotUnderstood('It does more than the payments of its batch.');
  }
  return marks.flatMap((mark, at) => {
    const effect = classified.effects[at];
    if (effect?.kind !== 'money') return [];
    const { money, amount } = effect;
    return [{ mark, money, amount, line: named[at] }];
  });
}
