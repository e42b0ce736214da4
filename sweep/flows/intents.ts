import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { BadOrderError } from '../../src/client';
import type { Boundary } from '../boundary';
import type { Order, Play } from '../flow';
import type { Lane } from '../lane';
import { prepareTransfer, transferFrom } from './transfers';
import { fundedWallet } from './wallets';

/** The service has taken the transfer, and the order knows. */
const isAccepted = ({ call, point }: Boundary): boolean =>
  call === 'activity createTransfer completed' && point === 'after';
/** It waits for the transfer to settle. */
const isSettling = ({ call, point }: Boundary): boolean =>
  call === 'workflow task: start a timer' && point === 'after';
/** Its run has ended as failed. */
const hasFailed = ({ call, point }: Boundary): boolean =>
  call === 'workflow task: fail' && point === 'after';
/** By then it has settled, and the order has not looked yet. */
const settledMs = 1_200;

/** A signal reaches the order while its transfer settles, as a webhook would send it. */
export async function prepareWoken(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'EOA');
  return {
    ...play,
    act: async () => {
      await lane.gate.passed(order.name, isSettling);
      await unlessDone(lane.caller.workflow.getHandle(order.name).signal('wake', {}));
    },
  };
}

/** The service can still cancel what no block has taken, and no block takes it by itself. */
export async function prepareCancelled(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'stuck');
  return {
    ...transferFrom(wallet, lane, order),
    isCancelled: true,
    act: async () => {
      await lane.gate.passed(order.name, isAccepted);
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
      await lane.gate.passed(order.name, isAccepted);
      await sleep(settledMs);
      await unlessDone(lane.steadfast.cancel(order.name, 'swept'));
    },
  };
}

/** The first attempt comes to nothing on the chain; its caller decides to try anew, once. */
export async function prepareResubmitted(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'failOnChain');
  return {
    ...transferFrom(wallet, lane, order),
    isResubmitted: true,
    act: async () => {
      await lane.gate.passed(order.name, hasFailed);
      await unlessDone(lane.steadfast.resubmit(order.name));
    },
  };
}

/** An order that has ended, or was submitted anew by a call whose answer was lost, needs no more. */
async function unlessDone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const isDone = error instanceof BadOrderError || error instanceof WorkflowNotFoundError;
    if (!isDone) throw error;
  }
}
