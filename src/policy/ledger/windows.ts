import type Database from 'libsql';
import { fromBaseUnits } from '../../custody/objects/amount';
import { policyDecimals } from '../file/policy';
import { type FullWindow, feeMoney, type Scope, type Usage, type Window } from './ledger';
import { amountOf } from './tables';

const hourMs = 3_600_000;

/** The sums of rolling windows, always counted from the charges themselves. */
export type Windows = {
  usage(window: { scope: Scope; money: string; hours: number }, nowMs: number): Usage;
  /** The reason why a reservation does not fit, and the moment when it will. */
  full(window: Window, nowMs: number): FullWindow | undefined;
};

/**
 * Windows over the charges in a database. An open reservation counts however old it is. A settled
 * one counts from the moment when its end was seen.
 */
export function windowsOf(database: Database.Database): Windows {
  const sums = 'SELECT SUM(a), SUM(b), SUM(c), SUM(d) FROM charges WHERE scope = ? AND money = ?';
  const open = database.prepare(`${sums} AND state = 'open'`).raw();
  const settled = database.prepare(`${sums} AND state = 'settled' AND endMs > ?`).raw();
  const oldest = database
    .prepare(
      `SELECT endMs, a, b, c, d FROM charges WHERE scope = ? AND money = ?
       AND state = 'settled' AND endMs > ? ORDER BY endMs`,
    )
    .raw();
  const sumOf = (row: unknown): bigint => amountOf(Array.isArray(row) ? row : []);

  const usage: Windows['usage'] = ({ scope, money, hours }, nowMs) => {
    const name = nameOf(scope);
    const pending = sumOf(open.get(name, money));
    const ended = sumOf(settled.get(name, money, nowMs - hours * hourMs));
    return { open: pending, counted: pending + ended };
  };

  /** The moment when enough of a window has expired. */
  const freeAt = ({ scope, money, hours }: Window, excess: bigint, nowMs: number) => {
    let rest = excess;
    for (const row of oldest.iterate(nameOf(scope), money, nowMs - hours * hourMs)) {
      const [endMs, ...limbs] = Array.isArray(row) ? row : [];
      rest -= amountOf(limbs);
      if (rest <= 0n) return Number(endMs) + hours * hourMs;
    }
    return undefined;
  };

  return {
    usage,
    full: (window, nowMs) => {
      const { counted, open: pending } = usage(window, nowMs);
      const { money, hours, whole } = window;
      const sent = whole && usage({ scope: whole.scope, money, hours }, nowMs).counted;
      const all = counted - (sent ?? 0n) + (whole?.amount ?? window.amount);
      const excess = all - window.max;
      if (excess <= 0n) return undefined;
      if ('request' in window.scope) {
        const most = `${plain(window.max)}, of which ${plain(counted)} are paid or under way.`;
        return { untilMs: undefined, words: `Its request was signed for ${most}` };
      }
      const untilMs = freeAt(window, excess, nowMs);
      const when = untilMs === undefined ? 'when one of them ends' : dateOf(untilMs);
      return {
        untilMs,
        words:
          `The window of the rule ${window.rule} is full: ${plain(counted)} of ` +
          `${plain(window.max)}${window.money === feeMoney ? ' for fees' : ''} in ` +
          `${window.hours} hours, ${plain(pending)} of it not settled yet. ` +
          `There is room for ${plain(window.amount)} ${when}.`,
      };
    },
  };
}

/** The text of a scope in the tables. */
export function nameOf(scope: Scope): string {
  if ('wallet' in scope) return `wallet ${scope.wallet}`;
  if ('ruleOf' in scope) return `rule ${scope.ruleOf} of ${scope.request}`;
  return 'rule' in scope ? `rule ${scope.rule}` : `request ${scope.request}`;
}

function plain(amount: bigint): string {
  return fromBaseUnits(amount, policyDecimals);
}

function dateOf(ms: number): string {
  return `at ${new Date(ms).toISOString()}`;
}
