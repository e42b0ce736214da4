import { fromBaseUnits } from '../../custody/objects/amount';
import type { Row, Work } from '../../store/work';
import { policyDecimals } from '../file/policy';
import {
  anyWallet,
  type Counted,
  type FullWindow,
  feeMoney,
  type Scope,
  type Usage,
  type Window,
} from './ledger';
import { sql } from './statements';
import { amountOf } from './tables';

const hourMs = 3_600_000;

/**
 * The sum of a rolling window, always counted from the charges themselves. An open reservation
 * counts however old it is. A settled one counts from the moment when its end was seen.
 */
export function windowUsage(window: Counted, nowMs: number): Work<Usage> {
  return sums(window, nowMs, { open: sql.openSum, settled: sql.settledSum });
}

/** The part of that sum that others have paid. It counts in the sum like all else. */
export function outside(window: Counted, nowMs: number): Work<Usage> {
  return sums(window, nowMs, { open: sql.openOutside, settled: sql.settledOutside });
}

function* sums(
  { scope, hours, ...counted }: Counted,
  nowMs: number,
  { open, settled }: Record<'open' | 'settled', typeof sql.openSum>,
): Work<Usage> {
  const name = scopeName(scope);
  const moneys = moneysOf(counted);
  const pending = sumOf(yield* open.get(name, ...moneys));
  const ended = sumOf(yield* settled.get(name, ...moneys, nowMs - hours * hourMs));
  return { open: pending, counted: pending + ended };
}

/** The reason why a reservation does not fit, and the moment when it will. */
export function* full(window: Window, nowMs: number): Work<FullWindow | undefined> {
  const closing = yield* closed(window, nowMs);
  if (closing !== undefined) return closing;
  const { counted, open: pending } = yield* windowUsage(window, nowMs);
  const { whole } = window;
  const sent = whole && (yield* windowUsage({ ...window, scope: whole.scope }, nowMs)).counted;
  const all = counted - (sent ?? 0n) + (whole?.amount ?? window.amount);
  const excess = all - window.max;
  if (excess <= 0n) return undefined;
  if ('request' in window.scope) {
    const most = `${plain(window.max)}, of which ${plain(counted)} are paid or under way.`;
    return { untilMs: undefined, words: `Its request was signed for ${most}` };
  }
  const untilMs = yield* freeAt(window, excess, nowMs);
  const later = untilMs === undefined ? 'when one of them ends' : dateOf(untilMs);
  const when = window.amount > window.max ? 'at no time' : later;
  return {
    untilMs,
    words:
      `The window of the rule ${window.rule} is full: ${plain(counted)} of ` +
      `${plain(window.max)}${window.money === feeMoney ? ' for fees' : ''} in ` +
      `${window.hours} hours, ${plain(pending)} of it not settled yet. ` +
      `There is room for ${plain(window.amount)}${window.withFees ? ', with its fee,' : ''} ${when}.`,
  };
}

/** The reason why a window is closed: a payment of somebody else that cannot be read. */
function* closed(window: Window, nowMs: number): Work<FullWindow | undefined> {
  const { rule, scope, money, hours } = window;
  // Its record tells the fee in any case.
  if ('request' in scope || 'creates' in scope || money === feeMoney) return undefined;
  const since = nowMs - hours * hourMs;
  const row = yield* sql.unread.get(scopeName(scope), scopeName(anyWallet), since);
  if (row === undefined) return undefined;
  const untilMs = row.state === 'open' ? undefined : Number(row.endMs) + hours * hourMs;
  const way = 'after its end: wait for that, or cancel the transaction at the service';
  return {
    untilMs,
    words:
      `The window of the rule ${rule} is closed by the transaction ` +
      `${String(row.key).replace('outside ', '')}, which is none of this writer's. Its record does ` +
      'not tell what it has moved. ' +
      `The window opens ${untilMs === undefined ? `${hours} hours ${way}` : dateOf(untilMs)}.`,
  };
}

/** The moment when enough of a window has expired. */
function* freeAt(
  { scope, hours, ...counted }: Window,
  excess: bigint,
  nowMs: number,
): Work<number | undefined> {
  let rest = excess;
  let afterMs = nowMs - hours * hourMs;
  for (;;) {
    const ends = yield* sql.settledEnds.all(scopeName(scope), ...moneysOf(counted), afterMs);
    if (ends.length === 0) return undefined;
    for (const end of ends) {
      afterMs = Number(end.endMs);
      rest -= sumOf(end);
      if (rest <= 0n) return afterMs + hours * hourMs;
    }
  }
}

/** The two moneys whose charges count. */
function moneysOf({ money, withFees }: Pick<Counted, 'money' | 'withFees'>): [string, string] {
  return [money, withFees ? feeMoney : money];
}

function sumOf({ a, b, c, d }: Row = {}): bigint {
  return amountOf([a, b, c, d]);
}

/** The text of a scope in the tables. */
export function scopeName(scope: Scope): string {
  if ('wallet' in scope) return `wallet ${scope.wallet}`;
  if ('creates' in scope) return `creates ${scope.creates}`;
  if ('ruleOf' in scope) return `rule ${scope.ruleOf} of ${scope.request}`;
  return 'rule' in scope ? `rule ${scope.rule}` : `request ${scope.request}`;
}

function plain(amount: bigint): string {
  return fromBaseUnits(amount, policyDecimals);
}

function dateOf(ms: number): string {
  return `at ${new Date(ms).toISOString()}`;
}
