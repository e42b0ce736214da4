import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import type { SteadfastOptions } from '../options';
import type { Within } from '../temporal/inSentences';

/** Throws a BadOrderError for a limit that is no time. */
export function checkLimit(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || timeoutMs > 0) return;
  throw new BadOrderError(
    `timeoutMs: ${shown(timeoutMs)} must be a number of milliseconds above 0, or absent.`,
  );
}

/** Gives each call the time that the client's options have for one. */
export function withinLimit({ client, timeoutMs = Infinity }: SteadfastOptions): Within {
  return (call) =>
    Number.isFinite(timeoutMs) ? client.withDeadline(Date.now() + timeoutMs, call) : call();
}
