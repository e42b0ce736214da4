import type { StatementRow } from '../../books/statement';
import { fromBaseUnits } from '../../custody/objects/amount';

/** The amounts of a token that went in and out on a day in UTC. Decimal, and exact. */
export type Flow = { day: string; token: string; in: string; out: string; fees: string };

type Sums = { day: string; token: string; decimals: number } & Record<Side, bigint>;
type Side = 'in' | 'out' | 'fees';

/** Sums up a statement by day and token, the newest day first. */
export function flowsOf(rows: readonly StatementRow[]): Flow[] {
  const all = new Map<string, Sums>();
  for (const { row, time, token, decimals, baseUnits = '0' } of rows) {
    const side = sideOf(row);
    if (side === undefined) continue;
    const day = time.slice(0, 10);
    const name = `${day} ${token}`;
    const sums = all.get(name) ?? { day, token, decimals, in: 0n, out: 0n, fees: 0n };
    sums[side] += BigInt(baseUnits);
    all.set(name, sums);
  }
  const newest = [...all.values()].sort((one, other) => (one.day < other.day ? 1 : -1));
  return newest.map(({ day, token, decimals, ...sums }) => ({
    day,
    token,
    in: fromBaseUnits(sums.in, decimals),
    out: fromBaseUnits(sums.out, decimals),
    fees: fromBaseUnits(sums.fees, decimals),
  }));
}

function sideOf(row: StatementRow['row']): Side | undefined {
  if (row === 'fee') return 'fees';
  return row === 'in' || row === 'out' ? row : undefined;
}
