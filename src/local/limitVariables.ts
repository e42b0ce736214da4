/**
 * The limits of a worker beside a sandbox. A sandbox without limits needs a worker without limits:
 * a worker with limits is slower, since Temporal hands it no reads ahead of its queue.
 */
export function limitVariables(sandboxEnv: Record<string, string> = {}): Record<string, string> {
  if (sandboxEnv.SANDBOX_RATE_LIMIT !== 'off') return {};
  return { STEADFAST_WRITES_PER_SECOND: 'off', STEADFAST_READS_PER_SECOND: 'off' };
}
