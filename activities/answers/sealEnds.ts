import { log } from '@temporalio/activity';
import type { Ends } from '../../src/client/answers/end';
import type { Receiver } from '../../src/client/answers/receiver';
import { sealFor } from '../../src/client/answers/sign';
import { stop } from '../failure';
import { isOwnOrder } from '../ownRun';

const lacking = 'STEADFAST_ANSWERS_URL is not set on this worker, but is on one of the role reads.';

/** Seals ends. Workers of the role workflows run it, in the process that runs the order. */
export function sealingActivities(receiver?: Pick<Receiver, 'settings'>) {
  return {
    /** Seals the ends of its own order, so that nobody else can have the receiver told of any. */
    async sealEnds(ends: Ends): Promise<string> {
      if (!isOwnOrder(ends.orderId)) {
        throw stop('Refused', `Only an order tells its ends. ${ends.orderId} did not ask.`);
      }
      if (receiver !== undefined) return sealFor(ends, receiver.settings.keys);
      log.error(`Ends cannot be told: ${lacking} Set it here, or unset it there.`, {
        order: ends.orderId,
        ends: ends.ends.length,
      });
      throw stop('NeedsOperator', lacking);
    },
  };
}
