/**
 * What a worker is told of limits beside a sandbox. One that limits nothing needs none to be kept,
 * and a worker that keeps one is slower: Temporal then hands it no reads ahead of its queue.
 */
export function limitVariables(sandboxEnv: Record<string, string> = {}): Record<string, string> {
  if (sandboxEnv.SANDBOX_RATE_LIMIT !== 'off') return {};
  return { STEADFAST_WRITES_PER_SECOND: 'off', STEADFAST_READS_PER_SECOND: 'off' };
}
