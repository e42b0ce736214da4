import { makeContinueAsNewFunc, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { sends } from '../../workflows/order/activities';

// biome-ignore lint/performance/noBarrelFile: one bundle needs all of them.
export * from '../../workflows';

/** Sends this many lines at once, each with the priority of this workflow. */
export async function payLines(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, line) => payLine(line)));
}

async function payLine(line: number): Promise<void> {
  await sends(`pay line ${line}`).createTransfer({
    parts: { workflowId: workflowInfo().workflowId, step: 'line', item: `${line}`, generation: 0 },
    bornAtMs: Date.now(),
    earlierTries: 'clean',
    baseUrl: 'http://scripted',
    input: {
      walletAddress: '0x1111111111111111111111111111111111111111',
      blockchain: 'ARC-TESTNET',
      tokenAddress: '0x3600000000000000000000000000000000000000',
      destinationAddress: '0x2222222222222222222222222222222222222222',
      amounts: ['1'],
      feeLevel: 'MEDIUM',
    },
  });
}

/** Continues as an order, with the state of a run that never was, as a caller's own workflow can. */
export function continuing(order: object, carried: object): Promise<never> {
  const continueAs = makeContinueAsNewFunc({ workflowType: 'transferStablecoin' });
  return continueAs(order, carried);
}

/** Schedules any activity with any input on any queue, as whoever reaches the namespace can. */
export async function hostile(name: string, input: object, taskQueue: string): Promise<unknown> {
  type Activities = Record<string, (input: object) => Promise<unknown>>;
  const retry = { maximumAttempts: 1 };
  const to = { taskQueue, startToCloseTimeout: 20_000, scheduleToStartTimeout: 20_000, retry };
  return proxyActivities<Activities>(to)[name]?.(input);
}
