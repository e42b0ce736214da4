import type { Work } from '../../store/work';
import { aheadMaxMs } from '../clock';
import type { Reserved } from './ledger';
import { factOf, sql } from './statements';

/** The ledger's own time, and the time for which the service remembers a key. */
export type LedgerMoment = { nowMs: number; keyLifetimeMs: number };

/**
 * Work with the ledger's own time. It never runs back, so that a clock that was put back frees no
 * window early. A clock that is ahead changes nothing for good: the time is not stored.
 */
export function* inTime<T>(
  work: (at: LedgerMoment) => Work<T>,
  { nowMs, keyLifetimeMs }: LedgerMoment,
): Work<T> {
  return yield* work({ nowMs: Math.max(yield* storedTime(), nowMs), keyLifetimeMs });
}

/** A reservation with a confirmed time, which it stores. Nothing else moves the ledger's time. */
export function* movingTime(
  work: (at: LedgerMoment) => Work<Reserved>,
  { nowMs, keyLifetimeMs }: LedgerMoment,
): Work<Reserved> {
  const before = yield* storedTime();
  if (before > nowMs + aheadMaxMs) {
    return { kind: 'wait', words: aheadWords(before, nowMs), untilMs: before - aheadMaxMs };
  }
  if (nowMs > before) yield* sql.setFact.run('timeMs', String(nowMs));
  return yield* work({ nowMs: Math.max(before, nowMs), keyLifetimeMs });
}

/** The confirmed time of the last reservation. */
function* storedTime(): Work<number> {
  return Number((yield* factOf('timeMs')) ?? 0);
}

function aheadWords(storedMs: number, nowMs: number): string {
  const [stored, now] = [storedMs, nowMs].map((ms) => new Date(ms).toISOString());
  return (
    `The ledger's time is ${stored}, and the service's is ${now}. A clock was wrong before. ` +
    'Wait until then, or replace the ledger: see "If the ledger is lost" in ' +
    'docs/how-to/run-the-ledger.md.'
  );
}
