import { workflowInfo } from '@temporalio/workflow';
import type { Grounds } from '../../src/custody/objects/grounds';
import type { WriteState } from '../write/machine/writeState';
import type { Transacting } from '../write/step';
import { archive, headingOf, onChainOf, settledOf } from './archive';
import type { LiveOrder } from './liveOrder';
import { noteDone } from './show';
import { continueWhenLong, standStill } from './wait';

/** Notes a transaction of an order that is final, for the archive. */
export function noteSettled(
  { opened, carried }: LiveOrder,
  step: Transacting,
  { state, grounds }: { state: WriteState; grounds: Grounds | undefined },
): void {
  if (opened.archives !== true) return;
  const place = carried.places?.[state.record?.id ?? ''];
  const settled = settledOf(step, state, { onChain: place && onChainOf(place), grounds });
  if (settled) carried.settled = [...(carried.settled ?? []), settled];
}

/**
 * Adds an order's receipts to the archive, before it ends. An archive that cannot be used is shown
 * and tried again. A cancellation ends the order without it.
 */
export async function archiveOrder(live: LiveOrder): Promise<void> {
  const { settled = [], opened } = live.carried;
  if (settled.length === 0 || opened === undefined) return;
  const heading = headingOf(workflowInfo().workflowId, opened);
  for (let attempt = 1; ; attempt++) {
    const stop = await archive({ ...heading, settled });
    if (stop === undefined) return;
    if (live.carried.cancelAsked) {
      noteDone(live, `its receipts are not in the archive: ${stop.message}`);
      return;
    }
    await standStill(live, stop, attempt);
    await continueWhenLong(live);
  }
}
