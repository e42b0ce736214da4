import { payeesOf } from '../../../src/writer/payees/memory';
import type { KeptPayment } from '../../../src/writer/payees/payees';
import { someone } from '../../support/stages';

const paymentOf = (to: string, amount: bigint): KeptPayment => ({ to, money: 'native', amount });

/** The questions to a ledger that knows nothing. */
function readsOf(payments: readonly KeptPayment[]): number {
  const work = payeesOf(payments, '');
  let reads = 0;
  while (!work.next([]).done) reads++;
  return reads;
}

it('each payee is read once, and each of its amounts, however often a batch pays them', () => {
  const [ann, bo] = [someone(), someone()];
  const one = readsOf([paymentOf(ann, 1n)]);
  const many = Array.from({ length: 500 }, () => paymentOf(ann, 1n));
  expect(readsOf(many)).toBe(one);
  expect(readsOf([...many, paymentOf(ann, 2n)])).toBe(one + 1);
  expect(readsOf([...many, paymentOf(bo, 1n)])).toBe(2 * one);
});
