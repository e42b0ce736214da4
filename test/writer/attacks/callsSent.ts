import type { TestSandbox } from '../../support/sandbox';

/** Calls of the service that change something, since it began. */
export async function callsSent({ origin }: TestSandbox): Promise<number> {
  const answer = await fetch(`${origin}/_sandbox/calls?after=0`);
  const { calls } = (await answer.json()) as { calls: { method: string; path: string }[] };
  const isHarmless = /walletSets|wallets$|drips|query|estimateFee/;
  return calls.filter(({ method, path }) => method !== 'GET' && !isHarmless.test(path)).length;
}
