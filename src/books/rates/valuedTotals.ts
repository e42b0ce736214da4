import { toBaseUnits } from '../../custody/objects/amount';
import { worthOf } from '../../orders/exchange/convert';
import type { MoneyTotal } from '../reconcile/totals';
import { findRate } from './rates';
import type { Valuing } from './valued';

const amounts = ['opening', 'in', 'out', 'fees', 'closing'] as const;

/** The amounts of a money in a currency, and the rate that they were valued at. */
type TotalValues = Partial<Record<(typeof amounts)[number], string>> & {
  currency: string;
  rate: string;
  rateDay: string;
};

/** A money of a day, with its values where there is a rate, or the reason why there is none. */
export type ValuedTotal = MoneyTotal & { values?: TotalValues; fault?: string };

/** Values the monies of a closed day, all at the rate of that day. */
export function valueTotals(
  totals: readonly MoneyTotal[],
  { rates, currency }: Valuing,
  day: string,
): ValuedTotal[] {
  return totals.map((total) => {
    const found = findRate(rates, { currency, token: total.token }, day);
    if ('fault' in found) return { ...total, fault: found.fault };
    const { rate, day: rateDay } = found.rate;
    const worth = amounts.flatMap((name) => {
      const amount = total[name];
      return amount === undefined ? [] : [[name, worthOf(unitsOf(amount), { rate, currency })]];
    });
    return { ...total, values: { ...Object.fromEntries(worth), currency, rate, rateDay } };
  });
}

/** A decimal amount in units of its last place. It is below zero where a node is wrong. */
function unitsOf(amount: string): { baseUnits: bigint; decimals: number } {
  const isOwed = amount.startsWith('-');
  const decimals = amount.split('.')[1]?.length ?? 0;
  const units = toBaseUnits(isOwed ? amount.slice(1) : amount, decimals);
  return { baseUnits: isOwed ? -units : units, decimals };
}
