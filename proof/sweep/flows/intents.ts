import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { BadOrderError } from '../../../src/client/client';
import { untilFailed, untilSettling } from '../judge/observe';
import type { Lane } from '../lane';
import type { Order, Play } from './flow';
import { prepareTransfer, transferFrom } from './transfers';
import { fundedWallet } from './wallets';

/** By then a transfer has settled, and its order has not looked yet. */
export const settledMs = 800;

/** A signal reaches the order while its transfer settles, as a webhook would send it. */
export async function prepareWoken(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'EOA');
  return {
    ...play,
    act: async () => {
      if (!(await untilSettling(lane, order.name))) return;
      await unlessDone(lane.caller.workflow.getHandle(order.name).signal('wake', {}));
    },
  };
}

/** The transfer gets into no block, so the service can still cancel it. */
export async function prepareCancelled(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'stuck');
  return {
    ...transferFrom(wallet, lane, order),
    isCancelled: true,
    act: async () => {
      if (!(await untilSettling(lane, order.name))) return;
      await unlessDone(lane.steadfast.cancel(order.name, 'swept'));
    },
  };
}

/** The transfer has settled before the cancellation comes: the order ends as completed. */
export async function prepareCancelledLate(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'EOA');
  return {
    ...play,
    isCancelled: true,
    act: async () => {
      // Not while it is in doubt: that order would ask an operator what became of its transfer.
      if (!(await untilSettling(lane, order.name))) return;
      await sleep(settledMs);
      await unlessDone(lane.steadfast.cancel(order.name, 'swept'));
    },
  };
}

/** The first attempt fails on the chain. The caller resubmits the order once. */
export async function prepareResubmitted(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'failOnChain');
  return {
    ...transferFrom(wallet, lane, order),
    isResubmitted: true,
    act: async () => {
      if (!(await untilFailed(lane, order.name))) return;
      await unlessDone(lane.steadfast.resubmit(order.name));
    },
  };
}

/** Ignores a refusal: the order has ended, or an earlier call with a lost answer did the work. */
export async function unlessDone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const isDone = error instanceof BadOrderError || error instanceof WorkflowNotFoundError;
    if (!isDone) throw error;
  }
}
