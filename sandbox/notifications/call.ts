import { isRecord } from '../../src/custody/isRecord';

/** A request to an endpoint of a subscriber. */
type EndpointCall = {
  method: 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** The sandbox ends. */
  ended: AbortSignal;
};

export type CallOutcome = { status: number } | { error: string };

/**
 * Calls an endpoint, and looks at nothing but the status of its answer: no redirect is followed,
 * and no body is read. Never throws.
 */
export async function call(
  endpoint: string,
  { timeoutMs, ended, ...request }: EndpointCall,
): Promise<CallOutcome> {
  // Not AbortSignal.any, which would leave a trace of each call at a signal that lasts.
  const attempt = new AbortController();
  const giveUp = (): void => attempt.abort();
  const timer = setTimeout(giveUp, timeoutMs);
  ended.addEventListener('abort', giveUp, { once: true });
  try {
    const { signal } = attempt;
    const response = await fetch(endpoint, { ...request, redirect: 'manual', signal });
    await response.body?.cancel().catch(() => {});
    return { status: response.status };
  } catch (error) {
    return { error: attempt.signal.aborted ? `No answer within ${timeoutMs} ms` : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', giveUp);
  }
}

/** The cause behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  if (isRecord(error.cause)) return reasonOf(error.cause);
  return [error.code, error.message].filter((part) => part !== undefined && part !== '').join(': ');
}
