import type { ViewCall } from '../../activities/contracts';
import type { LiveOrder } from '../order/liveOrder';
import { read } from '../order/read';
import { once } from '../write/happened';

/**
 * Reads a number of a contract before a write. Read once, so that a continued run uses the same
 * number.
 */
export async function readBefore(live: LiveOrder, call: ViewCall): Promise<string> {
  const { address, signature, parameters = [] } = call;
  return once(live, [address, signature, ...parameters].join(' '), () =>
    read(live, `${signature} of ${address}`, (from) => from.readNumber(call)),
  );
}
