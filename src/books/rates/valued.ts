import { worthOf } from '../../orders/exchange/convert';
import { counted } from '../../orders/progress/doing';
import type { StatementRow } from '../statement';
import { findRate, type RatesFile } from './rates';

/** The rates that rows are valued by, and the currency of their values. */
export type Valuing = { rates: RatesFile; currency: string };

/**
 * Values the rows of a statement as they pass by, each at the rate of its own day in UTC. An
 * opening and a closing row have the value of the balance, others that of the amount. A row without
 * a rate stays without a value, and `notes` says so.
 */
export function valuation({ rates, currency }: Valuing) {
  const unknown = new Map<string, { rows: number; fault: string }>();
  const valued = (row: StatementRow): StatementRow => {
    const isBalance = row.row === 'opening' || row.row === 'closing';
    const units = isBalance ? row.balanceBaseUnits : row.baseUnits;
    if (units === undefined) return row;
    const { decimals, token } = row;
    const found = findRate(rates, { currency, token }, row.time.slice(0, 10));
    if ('fault' in found) {
      const known = unknown.get(token) ?? { rows: 0, fault: found.fault };
      unknown.set(token, { ...known, rows: known.rows + 1 });
      return row;
    }
    const { rate, day } = found.rate;
    const value = worthOf({ baseUnits: BigInt(units), decimals }, { rate, currency });
    return { ...row, value, valueCurrency: currency, valueRate: rate, valueRateDay: day };
  };
  return {
    async *passing(rows: AsyncIterable<StatementRow>): AsyncGenerator<StatementRow, void> {
      for await (const row of rows) yield valued(row);
    },
    /** A sentence for each token of which rows have no value. */
    notes: (): string[] =>
      [...unknown].map(
        ([token, { rows, fault }]) =>
          `Without a value: ${counted(rows, 'row')} of ${token}. The first one: ${fault}`,
      ),
  };
}
