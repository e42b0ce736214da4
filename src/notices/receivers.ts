import type { Client } from '@temporalio/client';
import { runningParts, waitingAt } from './findOrders';
import type { Receivers } from './handOn';
import { signalWith } from './signal';
import { type ReceivedRule, startReceivedWith } from './startReceived';
import { createWake, type Wake, type Woken } from './wake';

const orderEveryMs = 1_000;
/** Parts poll for all of their lines while those settle, so a wake only ends a longer pause. */
const payoutEveryMs = 5_000;

/** Reaches whoever waits for a notice through Temporal. */
export function receiversOf(client: Client, received?: ReceivedRule): Receivers {
  const signal = signalWith(client);
  const wakeOrder = createWake(signal, orderEveryMs);
  const wakeEach =
    (find: (of: string) => Promise<string[]>): Wake =>
    async (of, noticeId) => {
      const ids = await find(of);
      const ends = await Promise.all(ids.map((id) => wakeOrder(id, noticeId)));
      return ends.some((end) => end === 'woken') ? 'woken' : ('over' satisfies Woken);
    };
  return {
    wakeOrder,
    wakePayout: createWake(
      wakeEach((id) => runningParts(client, id)),
      payoutEveryMs,
    ),
    wakeWaiting: createWake(
      wakeEach((address) => waitingAt(client, address)),
      orderEveryMs,
    ),
    startReceived: received && startReceivedWith(client, received),
  };
}
