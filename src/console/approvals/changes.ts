import { coinOf } from '../../checks/coinOf';
import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import { finest } from '../../orders/payout/tally';
import type { TreeLine } from '../../writer/signing/lineTree';

type Paying = Pick<TreeLine, 'to' | 'amount' | 'token'>;

/** A payee who gets another sum of a token than in the payout before. Undefined: nothing. */
export type Change = { to: string; token: string; before?: string; now?: string };

/** The changes between two payouts, and the number of payees who get the same. */
export type Changes = { changes: Change[]; same: number };

/** Compares the sums of each payee and coin, whatever face of it a line names. New payees come first, then those who are left out. */
export function changesBetween(before: readonly Paying[], now: readonly Paying[]): Changes {
  const [earlier, later] = [sumsOf(before), sumsOf(now)];
  const added: Change[] = [];
  const changed: Change[] = [];
  let same = 0;
  for (const [key, { to, token, units }] of later) {
    const known = earlier.get(key);
    const own = { to, token, now: fromBaseUnits(units, finest) };
    if (known === undefined) added.push(own);
    else if (known.units === units) same += 1;
    else changed.push({ ...own, before: fromBaseUnits(known.units, finest) });
  }
  const lost = [...earlier].flatMap(([key, { to, token, units }]): Change[] =>
    later.has(key) ? [] : [{ to, token, before: fromBaseUnits(units, finest) }],
  );
  return { changes: [...added, ...lost, ...changed], same };
}

function sumsOf(lines: readonly Paying[]) {
  const sums = new Map<string, { to: string; token: string; units: bigint }>();
  for (const { to, amount, token } of lines) {
    const key = `${to.toLowerCase()} ${coinOf(token)}`;
    const known = sums.get(key)?.units ?? 0n;
    sums.set(key, { to, token, units: known + toBaseUnits(amount, finest) });
  }
  return sums;
}
