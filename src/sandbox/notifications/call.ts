import { isRecord } from '../../custody/isRecord';

/** A request to an endpoint of a subscriber. */
export type EndpointCall = {
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
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([late, ended]);
    const response = await fetch(endpoint, { ...request, redirect: 'manual', signal });
    await response.body?.cancel().catch(() => {});
    return { status: response.status };
  } catch (error) {
    return { error: late.aborted ? `No answer within ${timeoutMs} ms` : reasonOf(error) };
  }
}

/** What lies behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  if (isRecord(error.cause)) return reasonOf(error.cause);
  return [error.code, error.message].filter((part) => part !== undefined && part !== '').join(': ');
}
