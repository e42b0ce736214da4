import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Lane } from '../lane';
import { forget, recordsOf, terminate, untilSent } from '../scenes/caller';
import { type Flow, idOf, type Order, type Play } from './flow';
import { unlessDone } from './intents';
import { prepareTransfer } from './transfers';

/** A caller who starts an order again, once something has happened to it. */
export function startedAgain(play: Play, happen: () => Promise<void>): Play {
  let [hasHappened, isStarted] = [false, false];
  return {
    ...play,
    isUnfinished: () => !isStarted,
    act: async () => {
      if (!hasHappened) await happen();
      hasHappened = true;
      await (play.startAgain ?? play.start)();
      isStarted = true;
    },
  };
}

type Prepare = Flow['prepare'];

/** A payout is terminated while its first line settles, and started again. */
export function terminated(prepare: Prepare): Prepare {
  return async (lane, order) => {
    const play = await prepare(lane, order);
    return startedAgain(play, () => terminateAsItPays(lane, order, play));
  };
}

async function terminateAsItPays(lane: Lane, order: Order, play: Play): Promise<void> {
  await untilSent(lane, order);
  await unlessDone(terminate(lane, idOf({ name: order.name, play })));
}

/** A transfer is done. A month later its order is started again, and nobody remembers it. */
export async function prepareForgottenTransfer(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'EOA');
  return startedAgain(play, () => forgetByAll(lane, order, play));
}

/** A payout is done. A month later it is started again, and nobody remembers it. */
export function forgotten(prepare: Prepare): Prepare {
  return async (lane, order) => {
    const play = await prepare(lane, order);
    return startedAgain(play, () => forgetByAll(lane, order, play));
  };
}

/** A payout is terminated as it pays. A month later nobody remembers it, and it is started again. */
export function halfPaid(prepare: Prepare): Prepare {
  return async (lane, order) => {
    const play = await prepare(lane, order);
    let isEnded = false;
    return startedAgain(play, async () => {
      if (!isEnded) await terminateAsItPays(lane, order, play);
      isEnded = true;
      await forgetByAll(lane, order, play);
    });
  };
}

/** Everybody forgets an order that has ended: Temporal its runs, and the service its keys. */
async function forgetByAll(lane: Lane, order: Order, play: Play): Promise<void> {
  const ids = [idOf({ name: order.name, play }), ...(play.others ?? [])];
  for (const id of ids) await closed(lane, id);
  for (const { id } of await recordsOf(lane, order)) await lane.age(id);
  for (const id of ids) await forget(lane, id);
}

const lookMs = 300;

/** Waits until the newest run of an id has ended, or is forgotten already. */
async function closed({ observer }: Lane, id: string): Promise<void> {
  const handle = observer.workflow.getHandle(id);
  const isRunning = async (): Promise<boolean> => {
    try {
      return (await handle.describe()).status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  while (await isRunning()) await sleep(lookMs);
}
